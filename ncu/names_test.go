package ncu

import "testing"

func TestShortName(t *testing.T) {
	for _, c := range []struct{ kernel, want string }{
		{"saxpy", "saxpy"},
		{"nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NNT", "nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NNT"},
		{"tiny(float *, int)", "tiny"},
		{"void at::foo<int>(T*)", "at::foo"},
		{"unsigned long f<(int)4, (bool)1>(const unsigned long *)", "f"},
		{"float *g(float *)", "g"},
		{"(anonymous namespace)::k<lambda(int) [with T = std::pair<int, int>]>", "(anonymous namespace)::k"},
		{"void <unnamed>::k<float>(float *)", "<unnamed>::k"},
		{"a::k(int) [clone .1]", "a::k"},
		{"a::k<T>::operator()(int) const", "a::k::operator()"},
		{"void a::k<T>::operator ()<int>(int) const", "a::k::operator ()"},
		{"bool operator<(A, B)", "operator<"},
		{"void operator<< <int>(A)", "operator<<"},
		{"a operator+<int>(a, a)", "operator+"},
		{"A::operator bool() const", "A::operator bool"},
		{"void outer(int)::{lambda(float)#1}::operator()(float) const", "outer::{lambda(float)#1}::operator()"},
		{"void outer(int) const::[lambda() (instance 1)]::operator ()() const", "outer::[lambda() (instance 1)]::operator ()"},
		{"void k<std::integral_constant<bool, (1>0)>, T->x>(int)", "k"},
		{"std::enable_if<((N)>(1)), void>::type foo<3>(int)", "foo"},
		{"operators_kernel(int)", "operators_kernel"},
		{"broken<(", "broken"},
		{")>", ")>"},
		{"", ""},
	} {
		if got := ShortName(c.kernel); got != c.want {
			t.Errorf("ShortName(%q) = %q, want %q", c.kernel, got, c.want)
		}
	}
}

func TestRankOf(t *testing.T) {
	for path, want := range map[string]string{
		"out.rank3.ncu-rep":     "3",
		"run/Rank_12.ncu-rep":   "12",
		"rank7/report.ncu-rep":  "",
		"ranking.ncu-rep":       "",
		`c:\x\a-rank=0.ncu-rep`: "0",
	} {
		if got := rankOf(path); got != want {
			t.Errorf("rankOf(%q) = %q, want %q", path, got, want)
		}
	}
}

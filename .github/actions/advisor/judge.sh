#!/usr/bin/env bash
# Judges the profiles: reports and check, and a diff when there is a base. Everything comes in through the environment,
# so that no name of a file or branch is ever read as code. It fails only when nothing could be judged at all; the status
# of the check goes to the outputs.
set -u

mkdir -p "$FOLDER"
read -r -d '' -a profiles <<<"$PROFILES" || true
{
  echo "folder=$FOLDER"
  echo "comment=$FOLDER/report.md"
} >>"$GITHUB_OUTPUT"

"$ADVISOR" analyze "${profiles[@]}" --format "html=$FOLDER/report.html" --format "json=$FOLDER/report.json" \
  --format "markdown=$FOLDER/report.md" --format "sarif=$FOLDER/advisor.sarif" --format text
status=$?
if [ "$status" -ne 0 ]; then
  echo "status=$status" >>"$GITHUB_OUTPUT"
  exit 0
fi
echo "sarif=$FOLDER/advisor.sarif" >>"$GITHUB_OUTPUT"

check=("${profiles[@]}")
[ -z "$BASELINE" ] || check+=(--baseline "$BASELINE")
[ -z "$CONFIG" ] || check+=(--config "$CONFIG")
"$ADVISOR" check "${check[@]}" --format github --format "text=$FOLDER/check.txt" --format "junit=$FOLDER/junit.xml"
status=$?
[ ! -f "$FOLDER/check.txt" ] || cat "$FOLDER/check.txt"

if [ -n "$BASE" ] && [ "${#profiles[@]}" -eq 1 ]; then
  # A comparison that is refused is said, and does not hide the report.
  if "$ADVISOR" diff "$BASE" "${profiles[0]}" --format "markdown=$FOLDER/diff.md" --format text; then
    echo "comment=$FOLDER/diff.md" >>"$GITHUB_OUTPUT"
  else
    echo "::warning title=advisor::The profile could not be compared with the base; see the log."
  fi
elif [ -n "$BASE" ]; then
  echo "::warning title=advisor::A base is compared with one profile or folder, not with several; give a folder."
fi

echo "status=$status" >>"$GITHUB_OUTPUT"
for part in diff.md report.md; do
  [ ! -f "$FOLDER/$part" ] || cat "$FOLDER/$part" >>"$GITHUB_STEP_SUMMARY"
done
exit 0

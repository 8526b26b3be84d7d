package charts

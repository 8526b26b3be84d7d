#!/usr/bin/env bash
# Writes BODY as a comment on the pull request, or puts it in the place of the one that an earlier run wrote: the first
# line of a comment is its MARKER. Only comments of a bot are touched: anyone can write a marker.
set -euo pipefail

if [ ! -f "$BODY" ]; then
  echo "no report to comment with" >&2
  exit 0
fi
text=$(mktemp)
trap 'rm -f "$text"' EXIT
{
  echo "$MARKER"
  cat "$BODY"
} >"$text"

earlier=$(gh api --paginate "repos/$REPOSITORY/issues/$PULL/comments" \
  --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(env.MARKER))) | .id" | head -n 1)
if [ -n "$earlier" ]; then
  gh api --method PATCH "repos/$REPOSITORY/issues/comments/$earlier" --field "body=@$text" --silent
else
  gh api --method POST "repos/$REPOSITORY/issues/$PULL/comments" --field "body=@$text" --silent
fi

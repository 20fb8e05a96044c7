#!/bin/sh
# Ends the process PID when its parent is gone, even by SIGKILL: the parent alone holds the other end of standard input.
# usage: sh guard.sh PID SECONDS, where SECONDS pass between SIGTERM and SIGKILL
read -r _
kill -TERM "$1" || exit 0
tenths=$(($2 * 10))
while kill -0 "$1" && [ "$tenths" -gt 0 ]; do
  sleep 0.1
  tenths=$((tenths - 1))
done
kill -KILL "$1"

// npm hands SIGTERM to its shell, and a shell dies of it without a word to what it runs; SIGKILL reaches npm alone.
// What they ran would go on with ports and folder held, so it looks for itself whether they are still there.
import { readFileSync } from 'node:fs';

const LOOK_MS = 500;
/** More steps than anything starts a command through. */
const MOST_STEPS = 16;

/** The parent of a process; undefined when the process has ended, or where there is no /proc. */
function parentOf(pid) {
  if (pid === process.pid) return process.ppid;
  try {
    // The name of the program stands in brackets before it, and may hold brackets itself.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return Number(parent);
  } catch {
    return undefined;
  }
}

/** npm names its command to what it starts, and only to that. */
function wasStartedByNpm(pid) {
  if (pid === process.pid) return process.env.npm_lifecycle_event !== undefined;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .some((each) => each.startsWith('npm_lifecycle_event='));
  } catch {
    // Not ours to read, or no /proc.
    return false;
  }
}

/** From this process up to the one that npm itself has started, each with its parent. */
function stepsToNpm() {
  const steps = [];
  for (let pid = process.pid; steps.length < MOST_STEPS && wasStartedByNpm(pid);) {
    const parent = parentOf(pid);
    if (parent === undefined) break;
    steps.push({ pid, parent });
    pid = parent;
  }
  return steps;
}

/** Calls back once, when npm or anything between it and us has ended; never where npm has not started us. */
export function whenNpmIsGone(callback) {
  const steps = stepsToNpm();
  if (steps.length === 0) return;
  const timer = setInterval(() => {
    if (steps.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    callback();
  }, LOOK_MS);
  timer.unref();
}

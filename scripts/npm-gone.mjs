// npm sends SIGTERM to its shell, and the shell ends without a signal to its children; SIGKILL reaches only npm.
// The children would keep running, with their ports and folder, so they check whether npm and the shell still run.
import { readFileSync } from 'node:fs';

const LOOK_MS = 500;
/** More than the number of processes between npm and a command. */
const MOST_STEPS = 16;

/** Lacks of this process or machine: nothing is known then. */
const OWN_LACKS = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'];

/** The parent of a process; undefined if the process has ended or there is no /proc. `known`: returned if it cannot be read now. */
function parentOf(pid, known) {
  if (pid === process.pid) return process.ppid;
  try {
    // The name of the program is in brackets before it, and may contain brackets itself.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return Number(parent);
  } catch (error) {
    return OWN_LACKS.includes(error.code) ? known : undefined;
  }
}

/** npm sets the name of its command in the environment of its child only. */
function wasStartedByNpm(pid) {
  if (pid === process.pid) return process.env.npm_lifecycle_event !== undefined;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .some((each) => each.startsWith('npm_lifecycle_event='));
  } catch {
    // No permission to read, or no /proc.
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

/** Calls back once, when npm or a process between npm and us has ended; never if npm has not started us. */
export function whenNpmIsGone(callback) {
  const steps = stepsToNpm();
  if (steps.length === 0) return;
  const timer = setInterval(() => {
    if (steps.every(({ pid, parent }) => parentOf(pid, parent) === parent)) return;
    clearInterval(timer);
    callback();
  }, LOOK_MS);
  timer.unref();
}

import { programFile } from '@ringdown/testing/program-file';
import { execFile } from 'node:child_process';

const PROGRAM = programFile('sender');

export interface Ended {
  readonly exitCode: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program to its end. */
export function sender(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return startSender(args, env).ended;
}

export interface StartedProgram {
  readonly ended: Promise<Ended>;
  /** What it has written to standard error so far. */
  stderrText(): string;
  /** To its standard input; undefined closes it. */
  write(bytes: Buffer | undefined): void;
  kill(signal: NodeJS.Signals): void;
}

/** `descriptors`: how many files and connections it may open (`ulimit -n`). */
export function startSender(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  descriptors?: number,
): StartedProgram {
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors} && `;
  let stderrText = '';
  let child: ReturnType<typeof execFile> | undefined;
  const ended = new Promise<Ended>((resolve) => {
    child = execFile(
      'sh',
      ['-c', `${limit}exec "$0" "$@"`, process.execPath, PROGRAM, ...args],
      { env: { ...process.env, ...env } },
      (_error, stdout, stderr) => {
        resolve({ exitCode: child?.exitCode, stdout, stderr });
      },
    );
    child.stderr?.on('data', (text: string) => (stderrText += text));
  });
  return {
    ended,
    stderrText: () => stderrText,
    write: (bytes) => void (bytes ? child?.stdin?.write(bytes) : child?.stdin?.end()),
    kill: (signal) => void child?.kill(signal),
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Started } from './started.js';

/** The checkout that the tests run in. */
export const CHECKOUT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The text of a file in docs/guides. */
export function readGuide(name: string): string {
  return readFileSync(join(CHECKOUT, 'docs', 'guides', name), 'utf8');
}

/** The fenced shell commands of a guide, in their order. */
export function guideCommands(guide: string): readonly string[] {
  return fencedCommands(readGuide(guide));
}

/** The fenced shell commands of a section of a document, in their order. */
export function commandsUnder(document: string, heading: string): readonly string[] {
  const [, section] = readFileSync(join(CHECKOUT, document), 'utf8').split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`${document} has no section "${heading}"`);
  return fencedCommands(section.split('\n## ')[0] ?? '');
}

function fencedCommands(text: string): readonly string[] {
  return [...text.matchAll(/```(?:sh|bash)\n(.*?)```/gs)].map(([, commands = '']) => commands);
}

/** The rows of the table of a guide whose head begins with these words, each cell without its surrounding spaces. */
export function guideTable(guide: string, head: string): readonly (readonly string[])[] {
  const lines = readGuide(guide).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head} `));
  if (start < 0) throw new Error(`${guide} has no table "${head}"`);
  // Between the head and the rows is a line of dashes.
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end).map((line) => {
    return line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  });
}

/** What a reader changes in the lines of a guide: each text must be in one of the lines, so that none is left over. */
export function withOwn(lines: string, own: Readonly<Record<string, string>>): string {
  let changed = lines;
  for (const [text, value] of Object.entries(own)) {
    if (!changed.includes(text)) throw new Error(`"${text}" is not in:\n${changed}`);
    changed = changed.replaceAll(text, value);
  }
  return changed;
}

export interface Shell {
  readonly output: () => string;
  readonly errors: () => string;
  readonly exitCode: () => number | null;
  readonly ended: Promise<unknown>;
}

export interface ShellOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** A person's shell in its own folder; whatever is still running in it ends with the test. */
export function shell(commands: string, { cwd, env = {}, input }: ShellOptions, started: Started): Shell {
  // A person would see that a command fails, and stop there.
  const child = spawn('bash', ['--norc', '-e', '-o', 'pipefail', '-c', commands], {
    cwd,
    env: { PATH: process.env['PATH'], CURL_HOME: cwd, ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (printed.out += String(chunk)));
  child.stderr.on('data', (chunk) => (printed.err += String(chunk)));
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  started.add({ stop });
  return { output: () => printed.out, errors: () => printed.err, exitCode: () => child.exitCode, ended };
}

import { installDebianProgram } from '@ringdown/embedded';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './scripts.js';

export interface ComposeConfig {
  readonly services: Readonly<
    Record<string, { readonly image: string; readonly build?: { readonly args?: Readonly<Record<string, string>> } }>
  >;
}

const folder = join(ROOT, '.cache', 'docker-compose');

/** Debian 13's, in .cache of the checkout. Without an engine, it only reads files. */
export async function ensureCompose(): Promise<string> {
  const program = join(folder, 'docker-compose');
  if (!existsSync(program)) {
    const path = 'usr/libexec/docker/cli-plugins/docker-compose';
    const wanted = { package: 'docker-compose', path, version: ['version'] };
    await installDebianProgram(wanted, folder);
  }
  return program;
}

/** What Compose makes of its files and of the lines of a `.env`, as `deploy/make-env.sh` writes it. Throws an Error with its reason. */
export function composeConfig(program: string, files: readonly string[], lines: readonly string[]): ComposeConfig {
  const own = mkdtempSync(join(tmpdir(), 'ringdown-compose-'));
  try {
    const file = join(own, '.env');
    const env = { PATH: process.env['PATH'], HOME: own };
    run('deploy/make-env.sh', [], { ...env, RINGDOWN_ENV_FILE: file });
    const images = join(own, 'images.env');
    writeFileSync(images, lines.join('\n'));
    if (lines.length > 0) run('deploy/make-env.sh', ['images', images], { ...env, RINGDOWN_ENV_FILE: file });
    const named = files.flatMap((each) => ['--file', each]);
    const profiles = ['demo', 'subscribers', 'backup'].flatMap((each) => ['--profile', each]);
    const text = run(program, ['--env-file', file, ...named, ...profiles, 'config'], env);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Compose has checked it
    return parse(text) as ComposeConfig;
  } finally {
    rmSync(own, { recursive: true });
  }
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

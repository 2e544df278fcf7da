import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SocketFolder } from './socket-folder.js';

describe('the folder of the socket', () => {
  const parent = mkdtempSync(join(tmpdir(), 'ringdown-sockets-'));
  const deep = join(parent, 'd'.repeat(90));
  mkdirSync(deep);
  afterAll(() => rmSync(parent, { recursive: true }));
  const keep = (): void => undefined;

  it('is in that of the database, or where the path is short enough, for this user alone', () => {
    for (const [folder, temporary, expected] of [
      [parent, parent, parent],
      [deep, parent, parent],
      [deep, deep, '/tmp'],
    ] as const) {
      const sockets = new SocketFolder(folder, temporary);
      sockets.prepare(keep);
      expect(join(sockets.path, '..')).toBe(expected);
      expect(statSync(sockets.path).mode & 0o777).toBe(0o700);
      sockets.remove();
      expect(existsSync(sockets.path)).toBe(folder === parent);
    }
  });

  it('is made again when it was removed, and not taken from another user', () => {
    const sockets = new SocketFolder(deep, parent);
    sockets.prepare(keep);
    rmSync(sockets.path, { recursive: true });
    sockets.prepare(keep);
    expect(existsSync(sockets.path)).toBe(true);
    const foreign = new SocketFolder(deep, parent);
    mkdirSync(foreign.path);
    expect(() => foreign.prepare(keep)).toThrow(/^the folder \S+ for the socket of the database belongs to user \d+$/);
    rmSync(foreign.path, { recursive: true });
  });

  it('is removed by the next start when a crash has left it', () => {
    const left = new SocketFolder(deep, parent);
    left.prepare(keep);
    writeFileSync(left.socket, '');
    const next = new SocketFolder(deep, parent);
    next.prepare(keep);
    expect([existsSync(left.path), existsSync(next.path)]).toEqual([false, true]);
    next.remove();
  });

  it('is not removed when it has another name or other files', () => {
    const other = join(parent, 'other');
    const used = join(parent, 'ringdown-0123456789ab');
    for (const folder of [other, used]) {
      mkdirSync(folder);
      writeFileSync(join(deep, 'socket.path'), folder);
      if (folder === used) writeFileSync(join(used, 'file'), '');
      const sockets = new SocketFolder(deep, parent);
      sockets.prepare(keep);
      sockets.remove();
      expect(existsSync(folder)).toBe(true);
    }
  });
});

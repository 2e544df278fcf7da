import { existsSync, rmSync } from 'node:fs';
import { CaptureFolder } from './capture-folder.js';

describe('the folder for captures', () => {
  const folder = new CaptureFolder();

  afterEach(() => folder.remove());

  it('is one for all captures, and is removed', async () => {
    const [path, same] = await Promise.all([folder.path(), folder.path()]);
    expect(same).toBe(path);
    expect(existsSync(path)).toBe(true);
    await folder.remove();
    expect(existsSync(path)).toBe(false);
  });

  it('is made again when the system has deleted it', async () => {
    rmSync(await folder.path(), { recursive: true });
    expect(existsSync(await folder.path())).toBe(true);
  });
});

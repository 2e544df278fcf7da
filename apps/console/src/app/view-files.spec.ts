import { ViewFiles } from './view-files.js';

const View = (): null => null;

describe('ViewFiles', () => {
  it('loads the files of a view once', async () => {
    let fetched = 0;
    const files = new ViewFiles(async () => {
      fetched++;
      return View;
    });
    expect(files.component).toBeUndefined();
    expect(await Promise.all([files.load(), files.load()])).toEqual([View, View]);
    expect([fetched, files.component]).toEqual([1, View]);
  });

  it('tries again by itself before it fails', async () => {
    let fetched = 0;
    const files = new ViewFiles(
      () => (++fetched < 3 ? Promise.reject(new Error('no network')) : Promise.resolve(View)),
      [1, 1],
    );
    expect(await files.load()).toBe(View);
    expect(fetched).toBe(3);
  });

  it('loads the files again after a failure', async () => {
    const answers = [
      () => Promise.reject(new Error('no network')),
      () => Promise.reject(new Error('no network')),
      () => Promise.resolve(View),
    ];
    const files = new ViewFiles(() => answers.shift()?.() ?? Promise.reject(new Error('asked too often')), [1]);
    await expect(files.load()).rejects.toThrow('no network');
    expect(await files.load()).toBe(View);
    expect(await files.load()).toBe(View);
  });
});

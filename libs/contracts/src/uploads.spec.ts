import { isUploadFeed, uploadFeed } from './uploads.js';

describe('the front end of an uploaded capture', () => {
  it.each([
    ['carol@example.test', undefined, 'upload~carol'],
    ['carol@example.test', 'site-7', 'upload~carol~site-7'],
    ['carol', 'fe1.example.test', 'upload~carol~fe1.example.test'],
    ['dom\\çarol~x', undefined, 'upload~dom__arol_x'],
    ['x'.repeat(200), undefined, `upload~${'x'.repeat(64)}`],
  ])('has the name of the uploader %s and the chosen one %s', (username, name, feed) => {
    expect(uploadFeed(username, name)).toBe(feed);
    expect(isUploadFeed(feed)).toBe(true);
  });

  it('is recognized in any case', () => {
    expect([' Upload~carol', 'UPLOAD~CAROL'].map(isUploadFeed)).toEqual([true, true]);
  });

  it.each(['upload.example.test', 'upload', 'capture-carol', 'fe1~upload~carol', ''])('is not %j', (name) => {
    expect(isUploadFeed(name)).toBe(false);
  });
});

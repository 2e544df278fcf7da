import { looksLikeUploadFeed } from './upload-names.js';

describe('the name of an uploaded capture', () => {
  it.each([
    'upload~carol',
    ' UPLOAD~carol~fe1',
    '\u200bupload~carol',
    'up\u00adload~carol',
    'ｕｐｌｏａｄ～carol',
    'upload\u223ccarol',
    '\u0007upload~carol',
    'upload~',
  ])('is imitated by %j', (name) => {
    expect(looksLikeUploadFeed(name)).toBe(true);
  });

  it.each([
    'fe1.example.test',
    'upload',
    'upload.example.test',
    'fe1~upload~carol',
    'überladung~1',
    'CN=upload~carol',
    '',
  ])('is not imitated by %j', (name) => {
    expect(looksLikeUploadFeed(name)).toBe(false);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultProfile, loadProfile, msProfile } from './index.js';

describe('a vendor profile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-profile-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function load(content: string): unknown {
    const file = join(folder, 'profile.json');
    writeFileSync(file, content);
    return loadProfile(file);
  }

  it('is found by name', () => {
    expect(loadProfile('default')).toBe(defaultProfile);
    expect(loadProfile('ms')).toBe(msProfile);
  });

  it('from a file changes only what is in the file', () => {
    const profile = load('{"name":"acme","web":{"challengeScheme":"AcmeOAuth","paths":{"token":["/acme/token"]}}}');
    expect(profile).toEqual({
      ...defaultProfile,
      name: 'acme',
      web: {
        ...defaultProfile.web,
        challengeScheme: 'AcmeOAuth',
        paths: { ...defaultProfile.web.paths, token: ['/acme/token'] },
      },
    });
  });

  it.each([
    ['{"web":{"scheme":"x"}}', 'has an unknown key "/web/scheme"'],
    ['{"web":{"challengeScheme":1}}', 'needs a string at "/web/challengeScheme"'],
    ['{"web":{"paths":{"api":[]}}}', 'needs a list of texts at "/web/paths/api"'],
    ['{"web":[]}', 'must contain an object at "/web"'],
    ['{', 'must be "default", "ms" or a readable JSON file'],
  ])('in a file that contains %s is rejected', (content, message) => {
    expect(() => load(content)).toThrow(message);
  });
});

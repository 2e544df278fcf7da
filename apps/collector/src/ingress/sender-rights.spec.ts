import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SenderRights } from './sender-rights.js';

describe('the right of a sender to report for front ends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-senders-'));
  const file = join(folder, 'senders.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  function rights(content: unknown): SenderRights {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return SenderRights.read(file);
  }

  it.each([
    ['192.0.2.40', 'fe1.example.test', true],
    ['192.0.2.40', 'FE1.Example.Test', true],
    ['192.0.2.40', 'fe9.pool1.example.test', false],
    ['192.0.2.41', 'fe9.pool1.example.test', true],
    ['192.0.2.41', 'pool1.example.test', false],
    ['192.0.2.41', 'fe1.example.test', false],
    ['198.51.100.7', 'fe1.example.test', false],
    ['2001:db8:7::1', 'anything', true],
    ['', 'fe1.example.test', false],
  ])('is for %s and %s %s, by the smallest network that contains the address', (remoteAddress, frontEnd, expected) => {
    const addresses = {
      '192.0.2.0/24': ['*.pool1.example.test'],
      '192.0.2.40': ['Fe1.example.test'],
      '2001:db8:7::/48': ['*'],
    };
    expect(rights({ addresses }).allows({ remoteAddress }, frontEnd)).toBe(expected);
  });

  it('depends on the certificate if there is a rule for it, regardless of the address', () => {
    const known = rights({ certificates: { 'CN=fe1,O=Example': ['fe1'] }, addresses: { '192.0.2.1': ['fe2'] } });
    const sender = { remoteAddress: '192.0.2.1', certificateSubject: 'CN=fe1,O=Example' };
    expect([known.allows(sender, 'fe1'), known.allows(sender, 'fe2')]).toEqual([true, false]);
    const other = { ...sender, certificateSubject: 'CN=fe1' };
    expect([known.allows(other, 'fe1'), known.allows(other, 'fe2')]).toEqual([false, true]);
  });

  it('mentions the listed names, and none that only match a pattern', () => {
    const known = rights({ certificates: { 'CN=a': ['Fe1'] }, addresses: { '192.0.2.1': ['fe2', '*.x'] } });
    expect(['fe1', 'FE2', 'a.x'].map((name) => known.mentions(name))).toEqual([true, true, false]);
  });

  it.each([
    ['rubbish', 'must be a readable JSON file'],
    [[], 'must contain an object at "/"'],
    [{ senders: {} }, 'has an unknown key "/senders"'],
    [{ addresses: [] }, 'must contain an object at "/addresses"'],
    [
      { addresses: { 'fe1.example.test': ['fe1'] } },
      'has a key "fe1.example.test" at "/addresses" that is not an address',
    ],
    [{ addresses: { '192.0.2.1': 'fe1' } }, 'needs a list of names of front ends, "*.domain" or "*" for "192.0.2.1"'],
    [{ certificates: { 'CN=a': ['fe*'] } }, 'needs a list of names'],
    [{ certificates: { 'CN=a': [1] } }, 'needs a list of names'],
  ])('is not read from the invalid file %j', (content, problem) => {
    expect(() => rights(content)).toThrow(problem);
  });
});

import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcmeFiles, type AcmeState } from './acme-files.js';

describe('the files of ACME', () => {
  const parent = mkdtempSync(join(tmpdir(), 'ringdown-acme-files-'));
  afterAll(() => rmSync(parent, { recursive: true }));
  let made = 0;
  const folder = (): string => join(parent, String(made++));

  const state: AcmeState = {
    issuedBy: 'https://ca.example.org/directory',
    order: {
      directory: 'https://ca.example.org/directory',
      hosts: ['uc.example.org'],
      key: 'KEY',
      url: 'https://ca.example.org/1',
    },
    failures: ['2026-11-01T00:00:00.000Z'],
    reason: 'no',
    kind: 'dns',
    retryAfter: '2026-11-02T00:00:00.000Z',
  };

  it('keep what was written, for their owner alone', async () => {
    const place = folder();
    const files = new AcmeFiles(place);
    expect(files.readState()).toEqual({ failures: [] });
    expect(files.readCertificate()).toBeUndefined();
    files.writeState(state);
    files.writeCertificate('PEM');
    expect(await files.accountKey(async () => 'ACCOUNT')).toBe('ACCOUNT');
    const again = new AcmeFiles(place);
    expect(again.readState()).toEqual(state);
    expect(again.readCertificate()).toBe('PEM');
    expect(await again.accountKey(async () => 'OTHER')).toBe('ACCOUNT');
    const modes = ['', 'state.json', 'certificate.pem', 'account-key.pem'].map(
      (name) => statSync(join(place, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
  });

  it('keep the last failures alone', () => {
    const files = new AcmeFiles(folder());
    files.writeState({ failures: Array.from({ length: 50 }, (_, i) => String(i)) });
    expect(files.readState().failures).toEqual(Array.from({ length: 20 }, (_, i) => String(i + 30)));
  });

  it.each(['{"fail', 'null', '[]', '{"failures":"x","order":{"url":1},"reason":2}'])(
    'begin anew with %j',
    (content) => {
      const place = folder();
      mkdirSync(place);
      writeFileSync(join(place, 'state.json'), content);
      expect(new AcmeFiles(place).readState()).toEqual({ failures: [] });
    },
  );

  it('name the file that cannot be written', () => {
    const file = folder();
    writeFileSync(file, '');
    expect(() => new AcmeFiles(file).writeState({ failures: [] })).toThrow(/state\.json cannot be written: E/);
  });
});

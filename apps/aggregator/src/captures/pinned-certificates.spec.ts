import { certificate } from '@ringdown/feed-client/test/certificates.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PinnedCertificates } from './pinned-certificates.js';

/** So long that only a use of the certificates looks at the file. */
const POLL_MS = 3_600_000;

describe('the pinned certificates of a collector', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-pinned-'));
  const file = join(folder, 'certificate.pem');
  let pinned: PinnedCertificates | undefined;
  afterAll(() => {
    pinned?.close();
    rmSync(folder, { recursive: true });
  });

  async function renew(): Promise<string> {
    const { cert, key } = await certificate('localhost');
    writeFileSync(file, `${key}\n${cert}`);
    return cert.trim();
  }

  it('are those in the file and those before, without keys, and stay when the file is damaged', async () => {
    const [problems, first] = [[] as string[], await renew()];
    const error = (_about: object, message: string): void => void problems.push(message);
    pinned = new PinnedCertificates(file, { info: () => undefined, error }, POLL_MS);
    const found = (): string => pinned?.current.trim() ?? '';
    expect(found()).toBe(first);
    const second = await renew();
    expect(found()).toBe(`${second}\n${first}`);
    writeFileSync(file, 'damaged');
    expect(found()).toBe(`${second}\n${first}`);
    expect(problems).toEqual(['files have changed but are invalid; the previous content stays in use']);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { fits, hasNoBarriers, signIn } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';

const pcap = fileURLToPath(
  new URL('../../../../libs/call-capture/test/public-captures/zeek-wireshark.pcap', import.meta.url),
);

describe('the upload of a capture', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-uploads-'));
  const ui = consoleUnderTest({ CAPTURE_MAX_BYTES: '20000000' });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
  });

  async function open(): Promise<{ page: Page; problems: readonly string[] }> {
    const opened = await ui.open();
    await signIn(opened.page, ui.system, 'carol', '/console/feeds');
    await opened.page.getByRole('link', { name: 'Upload a capture' }).click();
    await opened.page.getByText('No captures in the last seven days.').waitFor();
    return opened;
  }

  async function send(page: Page, path: string): Promise<void> {
    await page.getByLabel('Capture file').setInputFiles(path);
    await page.getByRole('button', { name: 'Upload', exact: true }).press('Enter');
  }

  function file(name: string, bytes: Buffer): string {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  }

  it('rejects empty and too large files and text in words', async () => {
    const { page } = await open();
    await hasNoBarriers(page);
    await send(page, file('empty.pcap', Buffer.alloc(0)));
    await page.getByText('The file is empty.').waitFor();
    await send(page, file('large.pcap', Buffer.alloc(20_000_001)));
    await page
      .getByRole('alert')
      .getByText(/larger|connection was lost/)
      .waitFor();
    await send(page, file('text.pcap', Buffer.from('These are words, and not packets of a capture.')));
    await page.getByText(/^Failed: /).waitFor();
    await hasNoBarriers(page);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove (calls are kept)' }).click();
    await page.getByText('No captures in the last seven days.').waitFor();
    await page.context().close();
  });

  it('shows progress, continues behind other views, and is cancelled on request', async () => {
    const { page } = await open();
    const network = await page.context().newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 1_000_000,
    });
    await send(page, file('long.pcap', Buffer.alloc(19_000_000)));
    await page.getByRole('progressbar', { name: 'Sent' }).waitFor();
    await page.getByText(/^[1-9]\d?\s%$/).waitFor();
    // It continues while another view is shown, and the browser asks before the tab is left.
    await page.getByRole('link', { name: 'All feeds' }).click();
    await page.getByRole('link', { name: 'Upload a capture' }).click();
    await page.getByText(/^[1-9]\d?\s%$/).waitFor();
    const asked = page.waitForEvent('dialog');
    const closed = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await closed;
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.getByText('Upload cancelled. No data was processed.').waitFor();
    await page.getByText('No captures in the last seven days.').waitFor();
    await page.context().close();
  });

  it('ends in the calls of the capture', async () => {
    const { page, problems } = await open();
    await page.getByLabel('Front end name').fill('site-7');
    await send(page, pcap);
    const capture = page.getByRole('listitem', { name: /^Capture of upload~\w+~site-7$/ });
    await capture.getByText(/^Read: .* calls?$/).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    await fits(page);
    await hasNoBarriers(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    const first = capture.getByRole('listitem').first().getByRole('link');
    const callId = (await first.textContent()) ?? '';
    await capture.getByRole('link', { name: /^All calls of upload~\w+~site-7$/ }).press('Enter');
    await page.waitForURL(/console\/calls\?/);
    await page.locator('tbody tr').first().waitFor();
    await page.goBack();
    await capture.getByRole('link', { name: callId, exact: true }).press('Enter');
    await page.waitForURL(/console\/calls\/./);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

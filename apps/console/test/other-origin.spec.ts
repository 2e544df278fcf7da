import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { findProgram } from '@ringdown/testing/find-program';
import { System } from './system.js';

/** A page of another site than the server; its content comes from the test. */
const OTHER = 'https://app.example.org';
/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
);

/** A browser whose user has turned third-party cookies off. */
describe('photos in a page of another origin', () => {
  const profile = mkdtempSync(join(tmpdir(), 'ringdown-browser-'));
  let system: System;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    system = await System.start({ ALLOWED_ORIGINS: OTHER });
    system.keepPhoto('bob', PNG);
    mkdirSync(join(profile, 'Default'));
    const preferences = { profile: { cookie_controls_mode: 1, block_third_party_cookies: true } };
    writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
    context = await chromium.launchPersistentContext(profile, {
      executablePath: findProgram('chromium', 'the cookie is tried in it: apt-get install chromium'),
      args: ['--no-sandbox', '--disable-gpu', '--disable-features=LocalNetworkAccessChecks'],
      ignoreHTTPSErrors: true,
    });
    await context.route(`${OTHER}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<body></body>' }));
    page = await context.newPage();
    await page.goto(`${OTHER}/`);
  });
  afterAll(async () => {
    await context?.close();
    await system?.stop();
    rmSync(profile, { recursive: true, force: true });
  });

  /** Creates an application from the page; without credentials the browser keeps no cookie. */
  async function create(credentials: 'include' | 'omit'): Promise<string> {
    const { username, password } = system.user('alice');
    return page.evaluate<string>(`(async () => {
      const origin = ${JSON.stringify(system.origin)};
      const form = new URLSearchParams(${JSON.stringify({ grant_type: 'password', username, password })});
      const granted = await (await fetch(origin + '/uc/token', { method: 'POST', body: form })).json();
      const response = await fetch(origin + '/uc/v1/applications', {
        method: 'POST',
        credentials: ${JSON.stringify(credentials)},
        headers: { authorization: 'Bearer ' + granted.access_token, 'content-type': 'application/json' },
        body: JSON.stringify({ culture: 'en', endpointId: crypto.randomUUID(), userAgent: 'page' }),
      });
      return origin + (await response.json())._links.self.href;
    })()`);
  }

  /** Whether an `<img>` of the page shows the photo. */
  function isShown(url: string): Promise<boolean> {
    return page.evaluate<boolean>(`new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve(image.naturalWidth === 1);
      image.onerror = () => resolve(false);
      image.src = ${JSON.stringify(url)};
    })`);
  }

  it('are shown although third-party cookies are off, with a cookie of this page alone', async () => {
    const photo = `${await create('include')}/photos/${system.user('bob').username}`;
    expect(await isShown(photo)).toBe(true);
    const [cookie] = await context.cookies(photo);
    expect(cookie).toMatchObject({ sameSite: 'None', secure: true, httpOnly: true });
    expect(cookie?.partitionKey).toContain('example.org');
  });

  it('are not shown without credentials, nor in a page of a third site', async () => {
    const photo = `${await create('omit')}/photos/${system.user('bob').username}`;
    expect(await isShown(photo)).toBe(false);
    const own = `${await create('include')}/photos/${system.user('bob').username}`;
    expect(await isShown(own)).toBe(true);
    await context.route('https://third.example.net/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<body></body>' }),
    );
    await page.goto('https://third.example.net/');
    expect(await isShown(own)).toBe(false);
  });
});

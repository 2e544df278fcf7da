import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openPage, signIn, startBrowser, type OpenedPage } from './browser.js';
import { connectToBrowser } from './shared-browser.js';
import { System, type Settings } from './system.js';

export interface ConsoleOptions {
  /** A browser of its own, with what belongs to its windows, such as notifications. */
  readonly hasWindows?: boolean;
}

/** A system and a browser for the tests of one file. */
export class ConsoleUnderTest {
  private running: { browser?: Browser; system?: System } = {};

  async start(settings: Settings, { hasWindows = false }: ConsoleOptions): Promise<void> {
    this.running.browser = hasWindows ? await startBrowser() : await connectToBrowser();
    this.running.system = await System.start(settings);
  }

  async stop(): Promise<void> {
    const { browser, system } = this.running;
    this.running = {};
    await browser?.close();
    await system?.stop();
  }

  get browser(): Browser {
    return started(this.running.browser);
  }

  get system(): System {
    return started(this.running.system);
  }

  /** A page that nobody has signed in. */
  open(options?: BrowserContextOptions): Promise<OpenedPage> {
    return openPage(this.browser, this.system, options);
  }

  /** A page of a first user. */
  async signedIn(name: string, path?: string, options?: BrowserContextOptions): Promise<OpenedPage> {
    const opened = await this.open(options);
    await signIn(opened.page, this.system, name, path);
    return opened;
  }
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the console is used outside of the tests of its file');
  return part;
}

/** Of a file: started before the tests of this `describe` and the hooks that follow, and stopped after them. */
export function consoleUnderTest(
  settings: Settings | (() => Promise<Settings>) = {},
  options: ConsoleOptions = {},
): ConsoleUnderTest {
  const underTest = new ConsoleUnderTest();
  beforeAll(async () => underTest.start(typeof settings === 'function' ? await settings() : settings, options));
  afterAll(() => underTest.stop());
  return underTest;
}

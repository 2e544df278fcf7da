import { findProgram } from '@ringdown/testing/find-program';
import { chromium, type Browser } from 'playwright-core';

/** With a window that nobody sees, a page needs 40 % more processor time than without one. */
const WITHOUT_WINDOWS = 'chromium-headless-shell';

export interface ChromiumOptions {
  readonly args?: readonly string[];
  /** Whether signals to this process end the browser; by default they do. */
  readonly isInterruptible?: boolean;
}

export function launchChromium({ args = [], isInterruptible = true }: ChromiumOptions = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: executable(),
    args: ['--no-sandbox', '--disable-gpu', ...args],
    handleSIGINT: isInterruptible,
    handleSIGTERM: isInterruptible,
    handleSIGHUP: isInterruptible,
  });
}

function executable(): string {
  try {
    return findProgram(WITHOUT_WINDOWS, '');
  } catch {
    return findProgram('chromium', `the console is tested with it: apt-get install ${WITHOUT_WINDOWS}, or chromium`);
  }
}

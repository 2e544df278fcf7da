import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 100;
const WAIT_MS = 60_000;
/** In the network of another process, which is `$1`; the certificate is self-signed. */
const CHROMIUM = `exec nsenter --target="$1" --net "$(command -v chromium-headless-shell || command -v chromium)" --headless --no-sandbox \
  --disable-gpu --ignore-certificate-errors --remote-debugging-pipe --user-data-dir="$2"`;

type Answer = Readonly<Record<string, unknown>>;

/**
 * A page of Chromium that sees the network of a machine. It is driven over a pipe, because no port of this machine leads there, by the DevTools protocol
 * (https://chromedevtools.github.io/devtools-protocol/): messages in JSON, each ended by a zero byte.
 */
export class Browser {
  private last = 0;
  private rest = '';
  private session: string | undefined;
  private readonly waiting = new Map<number, (answer: Answer) => void>();

  private constructor(
    private readonly child: ChildProcess,
    private readonly to: Writable,
    private readonly profile: string,
  ) {}

  /** `pid`: a process in that network. */
  static async open(pid: number, url: string): Promise<Browser> {
    const profile = mkdtempSync(join(tmpdir(), 'ringdown-browser-'));
    const child = spawn('sh', ['-c', CHROMIUM, 'sh', String(pid), profile], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    const [to, from] = [child.stdio[3], child.stdio[4]];
    if (!(to instanceof Writable) || !(from instanceof Readable)) throw new Error('Chromium has no pipes');
    const browser = new Browser(child, to, profile);
    from.on('data', (bytes) => browser.receive(String(bytes)));
    const { targetId } = await browser.send('Target.createTarget', { url });
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    browser.session = String(sessionId);
    return browser;
  }

  /** Waits until an expression of the page has a value that is true, and returns it. */
  async until(expression: string): Promise<unknown> {
    for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(LOOK_MS)) {
      const { result } = await this.send('Runtime.evaluate', { expression, returnByValue: true });
      const { value }: { readonly value?: unknown } = Object(result);
      if (value !== undefined && value !== null && value !== false && value !== '') return value;
    }
    const { result } = await this.send('Runtime.evaluate', { expression: 'document.body.innerText' });
    throw new Error(`the page has no ${expression}: ${JSON.stringify(result)}`);
  }

  /** Types into the field that a selector of CSS finds. */
  async type(selector: string, text: string): Promise<void> {
    await this.until(
      `document.querySelector('${selector}')?.focus() === undefined && document.activeElement.matches('${selector}')`,
    );
    await this.send('Input.insertText', { text });
  }

  /** By a message: a signal would end only the script by which Debian starts it. */
  async close(): Promise<void> {
    const ended = once(this.child, 'close');
    await this.send('Browser.close', {});
    await ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private send(method: string, params: Answer): Promise<Answer> {
    const id = ++this.last;
    const session = this.session === undefined ? {} : { sessionId: this.session };
    this.to.write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  private receive(text: string): void {
    const messages = `${this.rest}${text}`.split('\0');
    this.rest = messages.pop() ?? '';
    for (const message of messages) {
      const { id, result = {} }: { readonly id?: number; readonly result?: Answer } = JSON.parse(message);
      if (id === undefined) continue;
      this.waiting.get(id)?.(result);
      this.waiting.delete(id);
    }
  }
}

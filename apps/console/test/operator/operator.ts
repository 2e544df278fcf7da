import type { Locator, Page } from 'playwright-core';

/** What a task took. */
export interface Effort {
  readonly clicks: number;
  readonly keys: number;
  readonly seconds: number;
}

/** The hands and eyes of an operator: every click and key is counted, and only what is visible can be used or read. */
export class Operator {
  private clicks = 0;
  private keys = 0;

  constructor(readonly page: Page) {}

  /** Runs a task from the view that an operator keeps open. The seconds are those of the page and the machine, without thinking. */
  async measured(task: (operator: Operator) => Promise<void>): Promise<Effort> {
    await this.page.goto('/console/live');
    await this.page.getByRole('heading', { name: /in progress/ }).waitFor();
    [this.clicks, this.keys] = [0, 0];
    const began = performance.now();
    await task(this);
    return { clicks: this.clicks, keys: this.keys, seconds: (performance.now() - began) / 1_000 };
  }

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  /** Opens another view by the navigation. */
  open(view: string): Promise<void> {
    return this.click(
      this.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view, exact: true }),
    );
  }

  /** A click opens the list, another one takes the choice. */
  async choose(list: Locator, choice: string): Promise<void> {
    this.clicks += 2;
    await list.selectOption({ label: choice });
  }

  /** A click opens the dialog of the system, and two choose the file there. */
  async give(field: Locator, name: string, buffer: Buffer): Promise<void> {
    this.clicks += 3;
    await field.setInputFiles({ name, mimeType: 'application/vnd.tcpdump.pcap', buffer });
  }

  /** Clicks into a field and types. */
  async type(field: Locator, text: string): Promise<void> {
    await this.click(field);
    this.keys += text.length;
    await field.pressSequentially(text);
  }

  async press(key: string): Promise<void> {
    this.keys++;
    await this.page.keyboard.press(key);
  }

  /** The answer, or a step to it. */
  async sees(what: Locator): Promise<void> {
    await what.first().waitFor();
  }

  region(name: string | RegExp): Locator {
    return this.page.getByRole('region', typeof name === 'string' ? { name, exact: true } : { name });
  }

  /** The rows of the search. */
  get found(): Locator {
    return this.region('Calls found').locator('tbody tr');
  }
}

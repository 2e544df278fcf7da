// Collector, bus, aggregator and database at once, at a steady pace: how long until a posted record can be queried.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Finer than the reported precision. */
const LOOK_MS = 5;
const PATIENCE_MS = 30_000;

/** Polls the database for calls from the moment they are posted. */
export class Watch {
  #waiting = new Map();
  #times = [];
  #database;
  #running;
  #stopping = false;

  constructor(server) {
    this.#database = new Client({ connectionString: server.url });
  }

  /** To be called when the aggregator has created its tables. */
  async start() {
    await this.#database.connect();
    const isThere = async () => (await this.#database.query("select to_regclass('call_places') as name")).rows[0].name;
    while ((await isThere()) === null) await sleep(LOOK_MS);
    this.#running = this.#look();
  }

  /** Adds a call whose first record is posted at this moment. */
  add({ callId, at }) {
    this.#waiting.set(callId.toLowerCase(), at);
  }

  /**
   * Waits for calls that are still on their way; returns `{ p50, p99, seen, missing }`, the first two in milliseconds.
   */
  async stop() {
    const deadline = Date.now() + PATIENCE_MS;
    while (this.#waiting.size > 0 && Date.now() < deadline) await sleep(LOOK_MS);
    this.#stopping = true;
    await this.#running;
    await this.#database.end();
    const times = this.#times.sort((a, b) => a - b);
    const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
    return { p50: at(0.5), p99: at(0.99), seen: times.length, missing: this.#waiting.size };
  }

  async #look() {
    while (!this.#stopping) {
      const { rows } = await this.#database.query('select call_key from call_places where call_key = any($1)', [
        [...this.#waiting.keys()],
      ]);
      const now = Date.now();
      for (const { call_key: key } of rows) {
        this.#times.push(now - this.#waiting.get(key));
        this.#waiting.delete(key);
      }
      await sleep(LOOK_MS);
    }
  }
}

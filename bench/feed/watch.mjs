// From the POST of a record until it can be queried, as seen by a client of the database beside the aggregator.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { cpuSeconds } from '../servers.mjs';

/** Its queries must not become a part of what is measured: times are longer by half of this on average. */
const LOOK_MS = 20;
/** Between two counts of what is stored. */
const COUNT_MS = 100;
const PATIENCE_MS = 30_000;
const LOOK_UP = 'select call_key from call_places where call_key = any($1)';
/** Counted by the aggregator in the same transaction as the calls: counting the rows would cost more. */
const STORED = 'select coalesce(sum(records), 0)::integer as stored from front_ends';

/** Polls the database for calls from the moment they are posted. */
export class Watch {
  #waiting = new Map();
  #times = [];
  #database;
  #backend;
  #running;
  #stopping = false;

  constructor(server) {
    this.#database = new Client({ connectionString: server.url });
    // After a failure the server is stopped first, and that failure is what counts.
    this.#database.on('error', () => undefined);
  }

  /** To be called when the aggregator has created its tables. */
  async start() {
    await this.#database.connect();
    const isThere = async () => (await this.#database.query("select to_regclass('call_places') as name")).rows[0].name;
    while ((await isThere()) === null) await sleep(LOOK_MS);
    // A prepared statement keeps its first plan, which is made of an empty table.
    await this.#database.query('set enable_seqscan = off');
    // A scan that is not wanted counts as so expensive that its plan would be compiled, which takes 80 ms.
    await this.#database.query('set jit = off');
    const { rows } = await this.#database.query('select pg_backend_pid() as pid');
    this.#backend = rows[0].pid;
    this.#running = this.#look();
  }

  /** Adds a call whose first record is posted at this moment. */
  add({ callId, at }) {
    this.#waiting.set(callId.toLowerCase(), at);
  }

  /** Processor time of the database that serves this client, which is not that of the aggregator. */
  cpuSeconds() {
    return cpuSeconds(this.#backend);
  }

  /** Until so many records of all front ends are stored; rejects when there have been no more of them for a while. */
  async untilStored(records) {
    let [known, deadline] = [0, Date.now() + PATIENCE_MS];
    for (;;) {
      const { rows } = await this.#database.query({ name: 'stored', text: STORED });
      const [{ stored }] = rows;
      if (stored >= records) return;
      if (stored > known) [known, deadline] = [stored, Date.now() + PATIENCE_MS];
      if (Date.now() > deadline) throw new Error(`only ${stored} of ${records} records are stored`);
      await sleep(COUNT_MS);
    }
  }

  /**
   * Waits for calls that are still on their way, and begins anew; returns `{ p50, p99, seen, missing }`, the first two in
   * milliseconds.
   */
  async take() {
    const deadline = Date.now() + PATIENCE_MS;
    while (this.#waiting.size > 0 && Date.now() < deadline) await sleep(LOOK_MS);
    const times = this.#times.sort((a, b) => a - b);
    const missing = this.#waiting.size;
    this.#times = [];
    this.#waiting = new Map();
    const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
    return { p50: at(0.5), p99: at(0.99), seen: times.length, missing };
  }

  /** The last {@link take}. */
  async stop() {
    const taken = await this.take();
    this.#stopping = true;
    await this.#running;
    await this.#database.end();
    return taken;
  }

  async #look() {
    while (!this.#stopping) {
      if (this.#waiting.size > 0) await this.#lookUp();
      await sleep(LOOK_MS);
    }
  }

  async #lookUp() {
    const values = [[...this.#waiting.keys()]];
    const { rows } = await this.#database.query({ name: 'look-up', text: LOOK_UP, values });
    const now = Date.now();
    for (const { call_key: key } of rows) {
      const at = this.#waiting.get(key);
      // It may have been given up meanwhile.
      if (at !== undefined) this.#times.push(now - at);
      this.#waiting.delete(key);
    }
  }
}

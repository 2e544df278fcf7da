/**
 * Which indexes the queries of the running aggregator use, from the plans that PostgreSQL's auto_explain writes into its log.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Of the server, for its start. The minimum duration is not among them, because it is changed later: nothing is logged until {@link Plans} needs it. */
export const PLAN_SETTINGS = {
  logging_collector: 'on',
  log_directory: 'log',
  log_rotation_size: '0',
  shared_preload_libraries: 'auto_explain',
  'auto_explain.log_format': 'json',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
};

const LOGGED_MS = 10_000;
const SMALL_TABLE = 10_000;
/** Of a page of calls: see call-page.ts of the aggregator. */
const IS_PAGE = /characters_before/;

export class Plans {
  constructor(server) {
    this.server = server;
  }

  /** The indexes that the pages requested by `request` were found by, as text. */
  async indexesOf(request) {
    await this.#log(0);
    const before = this.#logged().length;
    await request();
    const until = Date.now() + LOGGED_MS;
    let plans = [];
    while (plans.length === 0 && Date.now() < until) {
      await sleep(100);
      plans = plansIn(this.#logged().slice(before));
    }
    await this.#log(-1);
    const scans = plans.flatMap((plan) => scansOf(plan));
    const parents = await this.#parents();
    const names = scans.map((name) => parents.get(name) ?? name);
    return names.length === 0
      ? 'not logged'
      : [...new Set(names)].toSorted((one, other) => one.localeCompare(other)).join(', ');
  }

  #logged() {
    const files = readdirSync(this.server.logFolder).toSorted((one, other) => one.localeCompare(other));
    return files.map((file) => readFileSync(join(this.server.logFolder, file), 'utf8')).join('');
  }

  async #log(milliseconds) {
    await this.#query(`alter system set auto_explain.log_min_duration = ${milliseconds}`);
    await this.#query('select pg_reload_conf()');
    // Idle connections read it before their next query.
    await sleep(200);
  }

  /** The index of the whole table by the name of that of each week. */
  async #parents() {
    const rows = await this.#query(
      `select inhrelid::regclass::text as week, inhparent::regclass::text as parent from pg_inherits
       join pg_index on indexrelid = inhrelid`,
    );
    return new Map(rows.map(({ week, parent }) => [week, parent]));
  }

  async #query(sql) {
    const client = new Client({ connectionString: this.server.url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }
}

/** Whole plans of pages; the log indents each line of them. */
function plansIn(log) {
  return [...log.matchAll(/ plan:\n(\t\{\n[^]*?\n\t\})/g)].flatMap(([, json]) => {
    const plan = JSON.parse(json.replaceAll('\n\t', '\n'));
    return IS_PAGE.test(plan['Query Text']) ? [plan.Plan] : [];
  });
}

/** Names of the indexes of a plan and its parts that were executed. */
function scansOf(plan) {
  if (plan['Actual Loops'] === 0) return [];
  const own = plan['Index Name'] ?? (isWholeScan(plan) ? 'reads every row' : undefined);
  return [...(own === undefined ? [] : [own]), ...(plan.Plans ?? []).flatMap((part) => scansOf(part))];
}

/** Of a week with calls: for the empty ones it is as good as an index. */
function isWholeScan(plan) {
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  return plan['Node Type'] === 'Seq Scan' && rows >= SMALL_TABLE;
}

import type { Setting, SettingFields } from './setting.js';
import { SETTING_TASKS, type SettingTask } from './setting-tasks.js';

/** One service's settings with the name of the service in the docs. */
export interface DocumentedSettings {
  readonly service: string;
  readonly fields: SettingFields;
}

interface Row {
  readonly setting: Setting<unknown>;
  readonly readers: readonly string[];
}

const SHARED = 'Several programs';

/**
 * The Markdown tables of all settings, by program and then by task: one row per setting, with every service that reads it.
 * Those of several programs come first.
 */
export function settingsTable(services: readonly DocumentedSettings[]): string {
  const programs = Map.groupBy(settingRows(services), ({ readers }) => (readers.length > 1 ? SHARED : readers[0]));
  return [SHARED, ...services.map(({ service }) => service)]
    .flatMap((program) => {
      const rows = programs.get(program) ?? [];
      const title = program === SHARED ? SHARED : `\`${program}\``;
      return rows.length === 0 ? [] : [`## ${title}`, '', ...taskTables(rows)];
    })
    .join('\n');
}

function settingRows(services: readonly DocumentedSettings[]): readonly Row[] {
  const rows = new Map<string, { setting: Setting<unknown>; readers: string[] }>();
  for (const { service, fields } of services) {
    for (const setting of Object.values(fields)) {
      const row = rows.get(setting.env) ?? { setting, readers: [] };
      row.readers.push(service);
      rows.set(setting.env, row);
    }
  }
  return [...rows].toSorted(([a], [b]) => a.localeCompare(b)).map(([, row]) => row);
}

function taskTables(rows: readonly Row[]): readonly string[] {
  const tasks = Map.groupBy(rows, ({ setting }) => setting.task);
  return Object.entries(SETTING_TASKS).flatMap(([task, title]) => {
    // Entries of an object have no narrower type for their keys.
    const own = tasks.get(task as SettingTask) ?? []; // oxlint-disable-line typescript/no-unsafe-type-assertion -- its own keys
    return own.length === 0 ? [] : [`### ${title}`, '', ...HEAD, ...own.map(tableRow), ''];
  });
}

const HEAD = ['| Setting | Meaning | Allowed | Default | Read by |', '|---|---|---|---|---|'];

function tableRow({ setting, readers }: Row): string {
  const cells = [`\`${setting.env}\``, setting.about, setting.allowed, shownDefault(setting), readers.join(', ')];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function shownDefault(setting: Setting<unknown>): string {
  if (setting.shownDefault !== undefined) return `\`${setting.shownDefault}\``;
  if (setting.fallback === undefined) return setting.required ? '(required)' : '(none)';
  const text = JSON.stringify(setting.fallback).replaceAll(/[[\]"]/g, '');
  return text === '' ? '(none)' : `\`${text}\``;
}

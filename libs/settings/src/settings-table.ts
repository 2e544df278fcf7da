import type { Setting, SettingFields } from './setting.js';

/** One service's settings with the name of the service in the docs. */
export interface DocumentedSettings {
  readonly service: string;
  readonly fields: SettingFields;
}

/** The Markdown table of all settings: one row per setting, with every service that reads it. */
export function settingsTable(services: readonly DocumentedSettings[]): string {
  const rows = new Map<string, { setting: Setting<unknown>; readers: string[] }>();
  for (const { service, fields } of services) {
    for (const setting of Object.values(fields)) {
      const row = rows.get(setting.env) ?? { setting, readers: [] };
      row.readers.push(service);
      rows.set(setting.env, row);
    }
  }
  const body = [...rows.entries()]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([env, { setting, readers }]) => {
      const cells = [`\`${env}\``, setting.about, setting.allowed, shownDefault(setting), readers.join(', ')];
      return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    });
  return ['| Setting | Meaning | Allowed | Default | Read by |', '|---|---|---|---|---|', ...body, ''].join('\n');
}

function shownDefault(setting: Setting<unknown>): string {
  if (setting.shownDefault !== undefined) return `\`${setting.shownDefault}\``;
  if (setting.fallback === undefined) return setting.required ? '(required)' : '(none)';
  const text = JSON.stringify(setting.fallback).replaceAll(/[[\]"]/g, '');
  return text === '' ? '(none)' : `\`${text}\``;
}

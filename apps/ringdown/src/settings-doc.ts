import { aggregatorSettings } from '@ringdown/aggregator';
import { applicationPeopleSettings } from '@ringdown/application-people';
import { collectorSettings } from '@ringdown/collector';
import { discoveryAuthSettings } from '@ringdown/discovery-auth';
import { runSettings } from '@ringdown/sender';
import { contextSettings } from '@ringdown/service';
import { edgeSettings } from '@ringdown/web-service';
import { settingsTable } from '@ringdown/settings';
import { subscribersSettings } from '@ringdown/subscribers';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ringdownSettings } from './settings.js';

/** Writes `docs/settings.md` from the settings that the programs read. */
export function settingsPage(): string {
  const web = { ...contextSettings, ...edgeSettings };
  const table = settingsTable([
    { service: 'ringdown', fields: ringdownSettings },
    { service: 'discovery-auth', fields: { ...web, ...discoveryAuthSettings } },
    { service: 'application-people', fields: { ...web, ...applicationPeopleSettings } },
    { service: 'aggregator', fields: { ...web, ...aggregatorSettings } },
    { service: 'collector', fields: { ...contextSettings, ...collectorSettings } },
    { service: 'sender', fields: runSettings },
    { service: 'subscribers', fields: { ...contextSettings, ...subscribersSettings } },
  ]);
  return `# Settings

All settings are environment variables. \`npm start\` and compose also read them from a file \`.env\` in the checkout (\`.env.example\`; \`npm start\` from the file that \`RINGDOWN_ENV_FILE\` names).
An invalid or missing value, or a misspelled name, stops the start with one line per problem.
\`ringdown\` is the one-process system of \`npm start\`; it passes the settings of the services to them.
Those that several programs read come first, then those of each program, by what they are for.
\`npm run docs:settings\` writes this page; a test fails if it is not up to date.

${table}`;
}

const target = process.argv[2];
if (target !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, settingsPage());

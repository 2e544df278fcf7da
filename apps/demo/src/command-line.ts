import {
  decimalNumber,
  EXIT_CODES,
  FEED_OPTIONS,
  feedOptions,
  parseOptions,
  textOption,
  wholeNumber,
  type FeedOptions,
} from '@ringdown/feed-client/command';
import { ownCommand, UsageError } from '@ringdown/settings';
import { CULPRIT_CHOICES, type CulpritChoice } from './calls/culprits.js';
import type { OperatorAccess } from './operator-api.js';

export const USAGE = `${ownCommand('demo')}: front ends report the calls of an invented company: yesterday and today, then 30 to 50 at a time until Ctrl-C
    --to URL          the collector (default http://localhost:8080)
    --hours H         how many hours of the past to fill in (default: from the beginning of yesterday; 0: none)
    --duration S      ends after so many seconds, and ends all calls (default: at Ctrl-C)
    --seed N          seed of the generated calls (default 1)
    --front-ends N    how many front ends report (default 3)
    --culprit KIND    one thing is wrong, in place of the story of the demo: headset, accessPoint, trunk, site, driver, codec or hop;
                      none: nothing is; random: one of them by the seed, told at the end
    --origin URL, --users FILE
                      web interface and first-users.json of the system: creates alert rules and searches named "Demo: …",
                      sends only the past that is missing, and ends calls that an earlier demo left open
    --sites FILE      writes the sites of the company there, if it is a file of sites that has none
    --json            no progress, and the summary as one line of JSON

${EXIT_CODES}Settings come from the environment: RESUME_AFTER_SECONDS, VENDOR_PROFILE, SUBMIT_CA_FILE …
`;

export interface DemoCommand extends FeedOptions {
  /** Of the live part. */
  readonly durationSeconds: number;
  /** Of the back-fill; undefined: from the beginning of yesterday on. */
  readonly hours: number | undefined;
  /** What is wrong in the company; undefined: the story of the demo. */
  readonly culprit: CulpritChoice | undefined;
  /** Where alert rules of the demo are created, and by whom. */
  readonly operator: OperatorAccess | undefined;
  /** The file with the sites of the system. */
  readonly sitesFile: string | undefined;
}

const LONGEST_DEMO = 2_000_000;
const LONGEST_BACK_FILL = 168;
const OPTIONAL = { type: 'string' } as const;
const OPTIONS = {
  ...FEED_OPTIONS,
  'front-ends': textOption('3'),
  duration: textOption(String(LONGEST_DEMO)),
  hours: OPTIONAL,
  culprit: OPTIONAL,
  origin: OPTIONAL,
  users: OPTIONAL,
  sites: OPTIONAL,
};

/** Reads the arguments after the program's name: undefined if help is wanted. Throws {@link UsageError}. */
export function readCommandLine(args: readonly string[]): DemoCommand | undefined {
  const values = parseOptions(args, OPTIONS);
  if (values.help) return undefined;
  const { hours, culprit, origin, users, sites } = values;
  return {
    ...feedOptions(values, 50),
    durationSeconds: wholeNumber('duration', values.duration, 0, LONGEST_DEMO),
    hours: hours === undefined ? undefined : decimalNumber('hours', hours, LONGEST_BACK_FILL),
    culprit: culprit === undefined ? undefined : culpritChoice(culprit),
    operator: origin === undefined || users === undefined ? undefined : { origin, usersFile: users },
    sitesFile: sites,
  };
}

function culpritChoice(given: string): CulpritChoice {
  const choice = CULPRIT_CHOICES.find((each) => each === given);
  if (choice === undefined)
    throw new UsageError(`--culprit must be one of ${CULPRIT_CHOICES.join(', ')}, not "${given}"`);
  return choice;
}

import { defaultProfiles, loadThresholds, type ThresholdProfiles } from '@ringdown/quality/thresholds';
import { setting, type Setting, type SettingValues } from '@ringdown/settings';
import type { CallRules } from '../calls/derive-call.js';
import { defaultDiagnosticsTexts, type DiagnosticsTexts } from '../calls/quality/diagnostics-texts.js';
import { loadDiagnosticsTexts } from '../calls/quality/load-diagnostics-texts.js';
import { loadSites } from '../search/sites/load-sites.js';
import { defaultTimeouts, type CallTimeouts } from '../calls/life/timeouts.js';

const WEEK_SECONDS = 604_800;

/** `calltimeout` and the others of the feed's own manager (diagnostics-feed.md, 4.4), with the unit in the name. */
function timeout(name: string, of: keyof CallTimeouts, about: string): Setting<number> {
  const seconds = defaultTimeouts[of] / 1_000;
  return setting.integer(name, {
    task: 'calls',
    default: seconds,
    min: 1,
    max: WEEK_SECONDS,
    about: `${about}, seconds`,
  });
}

const qualityThresholds: Setting<ThresholdProfiles> = {
  ...setting.text('QUALITY_THRESHOLDS', { task: 'calls', about: 'Thresholds for verdicts (docs/records.md)' }),
  allowed: 'default, or a JSON file',
  fallback: defaultProfiles,
  shownDefault: 'default',
  required: false,
  parse: loadThresholds,
};

const diagnosticsTexts: Setting<DiagnosticsTexts> = {
  ...setting.text('DIAGNOSTICS_TEXTS', { task: 'calls', about: 'Texts for ids of diagnostics (docs/records.md)' }),
  allowed: 'default, or a JSON file',
  fallback: defaultDiagnosticsTexts,
  shownDefault: 'default',
  required: false,
  parse: loadDiagnosticsTexts,
};

const sitesFile = {
  ...setting.text('SITES_FILE', {
    task: 'calls',
    about:
      'Subnets of sites, for statistics (docs/guides/history.md); a change takes effect without a restart. With `npm start` sites.json in DATA_DIR',
  }),
  allowed: 'a JSON file',
  parse: (file: string): string => {
    // A file that cannot be read is reported before anything starts.
    loadSites(file);
    return file;
  },
};

/** How calls are derived from records, and what they are counted by. */
export const callSettings = {
  callTimeoutSeconds: timeout(
    'CALL_TIMEOUT_SECONDS',
    'call',
    'Time without a record after which a call expires, because its end was lost (calltimeout)',
  ),
  inviteTimeoutSeconds: timeout(
    'INVITE_TIMEOUT_SECONDS',
    'invite',
    'Time without a further record after which an invitation expires (invitetimeout)',
  ),
  endedTimeoutSeconds: timeout(
    'ENDED_TIMEOUT_SECONDS',
    'ended',
    'Time that an ended call waits for its first quality report, and a call with final reports for its end (endedtimeout)',
  ),
  qoeTimeoutSeconds: timeout(
    'QOE_TIMEOUT_SECONDS',
    'qoe',
    "Time that an ended call with a quality report waits for the other party's (qoetimeout)",
  ),
  qualityThresholds,
  diagnosticsTexts,
  sitesFile: setting.optional(sitesFile),
  timeoutSweepSeconds: setting.integer('TIMEOUT_SWEEP_SECONDS', {
    task: 'calls',
    default: 10,
    min: 1,
    max: 3_600,
    about: 'Interval between checks of calls for time-outs, seconds (timeouthandlerperiod)',
  }),
};

export function callRulesFromSettings(settings: SettingValues<typeof callSettings>): CallRules {
  return {
    thresholds: settings.qualityThresholds,
    diagnosticsTexts: settings.diagnosticsTexts,
    timeouts: {
      call: settings.callTimeoutSeconds * 1_000,
      invite: settings.inviteTimeoutSeconds * 1_000,
      ended: settings.endedTimeoutSeconds * 1_000,
      qoe: settings.qoeTimeoutSeconds * 1_000,
    },
  };
}

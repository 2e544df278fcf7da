import type { Failure } from './call-records.js';
import { DEMO_DOMAIN } from './cast.js';
import type { Dice } from './dice.js';

const SEE_RESPONSE = '2;reason=See response code and reason phrase';

/** Why a call does not come about. */
export function rejection(dice: Dice, frontEnd: string): Failure {
  const diagnostics = `${SEE_RESPONSE};source=${frontEnd}`;
  return dice.pick<Failure>([
    {
      code: 403,
      phrase: 'Forbidden',
      diagnostics: `${diagnostics};AppUri=http://apps.${DEMO_DOMAIN}/routing;appName=InboundRouting`,
    },
    { code: 404, phrase: 'Not Found', diagnostics },
    { code: 480, phrase: 'Temporarily Unavailable', diagnostics },
    { code: 486, phrase: 'Busy Here', diagnostics },
  ]);
}

/** What goes wrong at the end of a call that had come about. */
export function interruption(dice: Dice, frontEnd: string): Failure {
  return dice.pick<Failure>([
    { code: 504, phrase: 'Server Time-out', diagnostics: `${SEE_RESPONSE};source=${frontEnd}` },
    {
      code: 403,
      phrase: 'Forbidden',
      diagnostics: `11007;reason=Quality reporting not enabled;source=${frontEnd};appName=QualityReporting`,
    },
    {
      code: 503,
      phrase: 'Service Unavailable',
      diagnostics: `2019;reason=Error reporting service unavailable;source=${frontEnd};appName=ErrorReporting`,
    },
  ]);
}

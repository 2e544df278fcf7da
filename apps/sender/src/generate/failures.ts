import { DOMAIN, type Failure, type SeededRandom } from '@ringdown/generated-calls';

const SEE_RESPONSE = '2;reason=See response code and reason phrase';

/** Why a call is not established. */
export function rejection(random: SeededRandom, frontEnd: string): Failure {
  const diagnostics = `${SEE_RESPONSE};source=${frontEnd}`;
  return random.pick<Failure>([
    {
      code: 403,
      phrase: 'Forbidden',
      diagnostics: `${diagnostics};AppUri=http://apps.${DOMAIN}/routing;appName=InboundRouting`,
    },
    { code: 404, phrase: 'Not Found', diagnostics },
    { code: 480, phrase: 'Temporarily Unavailable', diagnostics },
    { code: 486, phrase: 'Busy Here', diagnostics },
  ]);
}

/** Why an established call ends with an error. */
export function interruption(random: SeededRandom, frontEnd: string): Failure {
  return random.pick<Failure>([
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

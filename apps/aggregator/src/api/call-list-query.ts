import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { partyKey } from '../calls/call-keys.js';
import { CALL_STATES, VERDICTS, type CallState, type Verdict } from '../calls/call.js';
import { plausibleTime } from '../calls/feed-record.js';
import type { CallFilter } from '../store/call-queries.js';
import { DEFAULT_LIMIT, Digits, limitRange, MAX_LIMIT } from './limit-query.js';

/** `a,b` as a list, as a repeated parameter is by itself. */
const CommaList = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value));

/** One text that `isGood`; `what` completes "x must be". */
const IsText = (what: string, isGood: (text: string) => boolean): PropertyDecorator =>
  ValidateBy({
    name: 'isText',
    validator: {
      // PostgreSQL has no such character in its texts, XML neither.
      validate: (value) => typeof value === 'string' && !value.includes('\0') && isGood(value),
      defaultMessage: (details) => `${details?.property ?? ''} must be ${what}`,
    },
  });

const MAX_NAME = 255;

const IsMoment = (): PropertyDecorator =>
  IsText('one ISO 8601 time like 2026-03-02T10:00:00Z (write + as %2B)', (text) => plausibleTime(text) !== undefined);

/** Parameters of `GET /api/calls`. */
export class CallListQuery {
  @IsOptional()
  @CommaList()
  @IsIn([...CALL_STATES], { each: true, message: `state must be one or several of ${CALL_STATES.join(',')}` })
  state?: CallState[];

  @IsOptional()
  @CommaList()
  @IsIn([...VERDICTS], { each: true, message: `verdict must be one or several of ${VERDICTS.join(',')}` })
  verdict?: Verdict[];

  @IsOptional()
  @IsText('the name of one front end', (text) => text.trim() !== '' && text.length <= MAX_NAME)
  frontEnd?: string;

  @IsOptional()
  @IsText(
    'one SIP address like sip:anna@example.test',
    (text) => /^\S+$/.test(text) && text.length <= MAX_NAME && partyKey(text) !== '',
  )
  user?: string;

  @IsOptional()
  @IsMoment()
  from?: string;

  @IsOptional()
  @IsMoment()
  to?: string;

  @IsOptional()
  @Digits()
  @IsInt(limitRange)
  @Min(1, limitRange)
  @Max(MAX_LIMIT, limitRange)
  limit = DEFAULT_LIMIT;

  @IsOptional()
  @IsText('the `next` of a page', (text) => text !== '' && text.length <= 2_048)
  cursor?: string;
}

export function filterOf({ state, verdict, frontEnd, user, from, to }: CallListQuery): CallFilter {
  return {
    states: state,
    verdicts: verdict,
    frontEnd,
    party: user === undefined ? undefined : partyKey(user),
    from: momentOf(from),
    to: momentOf(to),
  };
}

function momentOf(text: string | undefined): Date | undefined {
  const at = plausibleTime(text);
  return at === undefined ? undefined : new Date(at);
}

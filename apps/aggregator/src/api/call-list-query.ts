import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Length, Matches, Max, Min, NotContains, ValidateBy } from 'class-validator';
import { partyKey } from '../calls/call-keys.js';
import { CALL_STATES, VERDICTS, type CallState, type Verdict } from '../calls/call.js';
import { plausibleTime } from '../calls/feed-record.js';
import type { CallFilter } from '../store/call-queries.js';
import { DEFAULT_LIMIT, Digits, limitRange, MAX_LIMIT } from './limit-query.js';

/** `a,b` as a list; what is no text is left for the validators to refuse. */
const CommaList = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value));

const IsMoment = (): PropertyDecorator =>
  ValidateBy({
    name: 'isMoment',
    validator: {
      validate: (value) => typeof value === 'string' && plausibleTime(value) !== undefined,
      defaultMessage: (details) =>
        `${details?.property ?? ''} must be one ISO 8601 time like 2026-03-02T10:00:00Z (write + as %2B)`,
    },
  });

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
  @IsString({ message: 'frontEnd must be given once' })
  @Length(1, 255, { message: 'frontEnd must be the name of a front end' })
  @NotContains('\0', { message: 'frontEnd must be the name of a front end' })
  frontEnd?: string;

  @IsOptional()
  @IsString({ message: 'user must be given once' })
  @Length(1, 255, { message: 'user must be a SIP address' })
  @Matches(/^(?:sips?:|tel:)?[^\s:]/i, { message: 'user must be a SIP address like sip:anna@example.test' })
  @NotContains('\0', { message: 'user must be a SIP address' })
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
  @IsString({ message: 'cursor must be given once' })
  @Length(1, 2_048, { message: 'cursor is too long' })
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

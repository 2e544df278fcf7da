import { COVERAGES, END_REASONS, ENDED_BY, MEDIA_PATHS } from '../fields/choices.js';
import { yamlText } from './filter-documents.js';

/** A schema of both API descriptions. */
interface Choice {
  readonly values: readonly string[];
  /** Whether the field is null where nothing is known. */
  readonly isNullable?: true;
  readonly description: string;
}

const CHOICES: Readonly<Record<string, Choice>> = {
  EndReason: {
    values: END_REASONS,
    isNullable: true,
    description:
      'Null while the call is in progress. `ended`: reported by a record. `error`: it failed, or an error ended its streams. `reported`: the final quality reports exist, the record of the end was lost. `expired`: no record arrived for too long',
  },
  EndedBy: { values: ENDED_BY, isNullable: true, description: 'Who ended it; null if no record reports it' },
  MediaPath: {
    values: MEDIA_PATHS,
    isNullable: true,
    description: '`relay` if one end has a relay, whatever the sender reports',
  },
  Coverage: {
    values: COVERAGES,
    description:
      'For how many directions of its media the call was judged: `both`, for every direction of every medium; `one`, only for some of them; `none`',
  },
};

/** `components.schemas` of openapi.yaml and asyncapi.yaml. */
export function choiceSchemas(): string {
  return Object.entries(CHOICES)
    .flatMap(([name, { values, isNullable, description }]) => [
      `    ${name}:`,
      `      enum: [${[...values, ...(isNullable ? ['null'] : [])].join(', ')}]`,
      `      description: ${yamlText(description)}`,
    ])
    .join('\n');
}

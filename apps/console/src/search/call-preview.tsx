import type { ComponentProps, ReactNode } from 'react';
import { Focusable, Tooltip, TooltipTrigger } from 'react-aria-components';
import type { Call } from '../api/answers.js';
import { CallVerdict, StateBadge } from '../parts/badges.js';
import { shownSipAddress } from '../parts/format.js';
import { texts } from '../texts/search.js';
import styles from './call-preview.module.css';
import { cellText } from './cells.js';
import { COLUMNS } from './columns.js';

const DELAY_MS = 500;
/** Shown in this order, if known. */
const FACTS = ['trouble', 'mos', 'loss', 'jitter', 'roundTrip', 'lasted', 'ringTime', 'codecs', 'frontEnds'] as const;
const PARTIES = 4;

interface CallPreviewProps {
  readonly call: Call;
  /** The link to the call. */
  readonly children: ComponentProps<typeof Focusable>['children'];
}

/** What is known of a call, while the pointer or the focus stays on its link. */
export function CallPreview({ call, children }: CallPreviewProps): ReactNode {
  return (
    <TooltipTrigger delay={DELAY_MS}>
      <Focusable>{children}</Focusable>
      <Tooltip className={styles['preview'] ?? ''} placement="bottom start">
        <p className={styles['head']}>
          <CallVerdict verdict={call.verdict} coverage={call.coverage} /> <StateBadge state={call.state} />
        </p>
        <Facts call={call} />
      </Tooltip>
    </TooltipTrigger>
  );
}

function Facts({ call }: { readonly call: Call }): ReactNode {
  const facts = FACTS.map((column) => ({ column, text: cellText(call, column) }));
  return (
    <dl>
      {call.parties.slice(0, PARTIES).map((party, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parties have no other order, and never change here
        <div key={index}>
          <dt>{shownSipAddress(party.uri) || texts.unknownParty}</dt>
          <dd>
            {[party.userAgent, party.connection, party.ip].filter((text) => text !== undefined).join(' · ') || '–'}
          </dd>
        </div>
      ))}
      {facts.map(({ column, text }) =>
        text === '' ? null : (
          <div key={column}>
            <dt>{COLUMNS.find((each) => each.column === column)?.title}</dt>
            <dd>{text}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

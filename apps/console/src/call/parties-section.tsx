import { Fragment, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Call } from '../api/answers.js';
import { formatNumber, shownSipAddress } from '../parts/format.js';
import { searchHref } from '../parts/call-address.js';
import styles from './parties-section.module.css';
import { partyFacts, type FactValue, type PartyFact } from './party-facts.js';
import view from './call-view.module.css';
import { texts } from '../texts/call.js';

/** A conference has many parties; the first ones fill a screen. */
const AT_FIRST = 8;

/** A card for each side: its device, its system and its way through the network. */
export function PartiesSection({ call }: { readonly call: Pick<Call, 'parties' | 'invitedAt'> }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const { parties, invitedAt } = call;
  if (parties.length === 0) return null;
  const roles = parties.length === 2 && invitedAt !== null ? [texts.roles.caller, texts.roles.callee] : [];
  const hidden = parties.length - AT_FIRST;
  return (
    <section className={`card ${view['section']}`} aria-labelledby="parties">
      <h2 id="parties">{texts.parties}</h2>
      <div className={styles['parties']}>
        {(isWhole ? parties : parties.slice(0, AT_FIRST)).map((party, index) => (
          <PartyCard key={`${party.id} ${party.epId} ${party.uri} ${party.ip}`} party={party} role={roles[index]} />
        ))}
      </div>
      {hidden > 0 && !isWhole && (
        <button className="button" type="button" onClick={() => setWhole(true)}>
          {texts.showMore(formatNumber(hidden))}
        </button>
      )}
    </section>
  );
}

interface PartyCardProps {
  readonly party: Call['parties'][number];
  readonly role: string | undefined;
}

function PartyCard({ party, role }: PartyCardProps): ReactNode {
  const { main, more } = partyFacts(party);
  const name = shownSipAddress(party.uri);
  return (
    <section className={styles['party']} aria-label={name || (party.ip ?? texts.unknownParty)}>
      <h3>
        {party.uri === undefined ? (
          (party.ip ?? texts.unknownName)
        ) : (
          <Link href={searchHref('user', party.uri)}>{name}</Link>
        )}
        {role !== undefined && <span className={styles['role']}>{role}</span>}
      </h3>
      <Facts facts={main} />
      {main.length === 0 && more.length === 0 && <p className="muted">{texts.noDetails}</p>}
      {more.length > 0 && (
        <details>
          <summary>{texts.more}</summary>
          <Facts facts={more} />
        </details>
      )}
    </section>
  );
}

function Facts({ facts }: { readonly facts: readonly PartyFact[] }): ReactNode {
  return (
    <dl className={styles['facts']}>
      {facts.map(({ label, values }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {values.map((value, index) => (
              <Fragment key={`${value.filter?.[0]} ${value.text}`}>
                {index > 0 && <span className="muted"> · </span>}
                <Value value={value} />
              </Fragment>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value: { text, filter } }: { readonly value: FactValue }): ReactNode {
  if (filter === undefined) return <bdi>{text}</bdi>;
  return (
    <Link href={searchHref(...filter)} title={texts.callsWith(text)}>
      <bdi>{text}</bdi>
    </Link>
  );
}

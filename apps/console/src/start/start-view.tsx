import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { callHref } from '../parts/call-address.js';
import { callTitle } from '../call/call-title.js';
import { StateBadge } from '../parts/badges.js';
import { CopyButton } from '../parts/copy-button.js';
import { filled } from '../parts/filled.js';
import forms from '../parts/form.module.css';
import { Section } from '../parts/section.js';
import sections from '../parts/sections.module.css';
import { commandsFor, isLoopback, type Command } from './commands.js';
import styles from './start.module.css';
import { useFeedAddress, useFirstCall } from './use-first-call.js';
import { texts } from '../texts/start.js';

/** Stands in commands for an address that is not known. */
const UNKNOWN_ADDRESS = 'http://COLLECTOR:8080/';

/** How to connect the first front end; the first call appears by itself. */
export function StartView(): ReactNode {
  return (
    <div className={sections['sections']}>
      <Arrivals />
      <Section title={texts.title} query={useFeedAddress()}>
        {(address) => (
          <div className={styles['steps']}>
            <Address address={address} />
            <ol>
              {commandsFor(address ?? UNKNOWN_ADDRESS, location.href).map((command) => (
                <Step key={command.title} command={command} />
              ))}
            </ol>
            <p>{filled(texts.orUpload, <Link href="/captures">{texts.uploadCapture}</Link>)}</p>
          </div>
        )}
      </Section>
    </div>
  );
}

function Arrivals(): ReactNode {
  const { data, error } = useFirstCall();
  const call = data?.call;
  return (
    <section className={`card ${forms['form']}`} aria-label={texts.firstCall}>
      <h1>{call === undefined ? texts.connect : texts.callsArrive}</h1>
      <div role="status">
        {call !== undefined && (
          <p className={styles['first']}>
            {filled(
              texts.latestCall,
              <Link href={callHref(call.callId)}>{callTitle(call)}</Link>,
              <StateBadge state={call.state} />,
            )}
          </p>
        )}
        {call === undefined && data?.frontEnd === undefined && (
          <p className={styles['waiting']}>{texts.waitingForRecord}</p>
        )}
        {call === undefined && data?.frontEnd !== undefined && (
          <p className={styles['waiting']}>{texts.waitingForCall(data.frontEnd.name)}</p>
        )}
      </div>
      {error !== null && (
        <p className={forms['problem']} role="alert">
          {texts.retrying(error.message)}
        </p>
      )}
      {call !== undefined && (
        <div className={forms['buttons']}>
          <Link className="button primary" href="/live">
            {texts.watchCalls}
          </Link>
          <Link className="button" href="/feeds">
            {texts.checkFeeds}
          </Link>
        </div>
      )}
    </section>
  );
}

function Address({ address }: { readonly address: string | null }): ReactNode {
  if (address === null) return <p>{filled(texts.unknownAddress, <code>FEED_ADDRESS</code>, <code>COLLECTOR</code>)}</p>;
  return (
    <>
      <p className={forms['buttons']}>
        <code className={styles['address']}>{address}</code>
        <CopyButton text={() => address}>{texts.copyAddress}</CopyButton>
      </p>
      {isLoopback(address) && <p className="muted">{filled(texts.onlyThisMachine, <code>COLLECTOR_ALLOW</code>)}</p>}
    </>
  );
}

function Step({ command: { title, about, text } }: { readonly command: Command }): ReactNode {
  return (
    <li>
      <h3>{title}</h3>
      <p className="muted">{about}</p>
      <div className={forms['buttons']}>
        <code className={styles['command']}>{text}</code>
        <CopyButton text={() => text}>{texts.copy}</CopyButton>
      </div>
    </li>
  );
}

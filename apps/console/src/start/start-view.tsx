import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { callHref } from '../call/call-address.js';
import { titleOf } from '../call/call-title.js';
import { StateBadge } from '../parts/badges.js';
import { CopyButton } from '../parts/copy-button.js';
import forms from '../parts/form.module.css';
import { Section } from '../parts/section.js';
import sections from '../parts/sections.module.css';
import { commandsFor, isLoopback, type Command } from './commands.js';
import styles from './start.module.css';
import { useFeedAddress, useFirstCall } from './use-first-call.js';

/** Stands in commands for an address that is not known. */
const UNKNOWN_ADDRESS = 'http://COLLECTOR:8080/';

/** How to connect the first front end; the first call appears by itself. */
export function StartView(): ReactNode {
  return (
    <div className={sections['sections']}>
      <Arrivals />
      <Section title="Send records to this address" query={useFeedAddress()}>
        {(address) => (
          <div className={styles['steps']}>
            <Address address={address} />
            <ol>
              {commandsFor(address ?? UNKNOWN_ADDRESS).map((command) => (
                <Step key={command.title} command={command} />
              ))}
            </ol>
            <p>
              Or <Link href="/captures">upload a capture</Link> with SIP.
            </p>
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
    <section className={`card ${forms['form']}`} aria-label="First call">
      <h1>{call === undefined ? 'Connect your first front end' : 'Calls are coming in'}</h1>
      <div role="status">
        {call !== undefined && (
          <p className={styles['first']}>
            Latest call: <Link href={callHref(call.callId)}>{titleOf(call)}</Link> <StateBadge state={call.state} />
          </p>
        )}
        {call === undefined && data?.frontEnd === undefined && (
          <p className={styles['waiting']}>Waiting for the first record …</p>
        )}
        {call === undefined && data?.frontEnd !== undefined && (
          <p className={styles['waiting']}>{data.frontEnd.name} is sending. Waiting for the first call …</p>
        )}
      </div>
      {error !== null && (
        <p className={forms['problem']} role="alert">
          {error.message} Retrying automatically.
        </p>
      )}
      {call !== undefined && (
        <div className={forms['buttons']}>
          <Link className="button primary" href="/live">
            Watch live calls
          </Link>
          <Link className="button" href="/feeds">
            Check the feeds
          </Link>
        </div>
      )}
    </section>
  );
}

function Address({ address }: { readonly address: string | null }): ReactNode {
  if (address === null)
    return (
      <p>
        The server does not know under which address front ends reach it: the setting <code>FEED_ADDRESS</code> shows it
        here. Replace <code>COLLECTOR</code> in the commands.
      </p>
    );
  return (
    <>
      <p className={forms['buttons']}>
        <code className={styles['address']}>{address}</code>
        <CopyButton text={() => address}>Copy the address</CopyButton>
      </p>
      {isLoopback(address) && (
        <p className="muted">
          Only programs on this machine reach it. Restart with <code>COLLECTOR_ALLOW</code>, the addresses of your front
          ends, to open it for them.
        </p>
      )}
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
        <CopyButton text={() => text}>Copy</CopyButton>
      </div>
    </li>
  );
}

import { Fragment, type ReactNode } from 'react';
import type { Call } from '../api/answers.js';
import { callNames, callTitle } from '../call/call-title.js';
import styles from './search-view.module.css';
import { nameParts } from './shared-domain.js';

interface PartyNamesProps {
  readonly call: Call;
  /** What all calls of the list share; left out where there is little room. */
  readonly domain: string | undefined;
}

/** Who called whom; the whole addresses are in the title. */
export function PartyNames({ call, domain }: PartyNamesProps): ReactNode {
  return (
    <span title={callTitle(call)}>
      {callNames(call).map((name, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parties have no other order, and never change here
        <Fragment key={index}>
          {index === 0 ? '' : index === 1 ? ' → ' : ', '}
          <PartyName name={name} domain={domain} />
        </Fragment>
      ))}
    </span>
  );
}

function PartyName({ name, domain }: { readonly name: string; readonly domain: string | undefined }): ReactNode {
  const [user, own] = nameParts(name);
  if (own === '' || own !== domain) return name;
  return (
    <>
      {user}
      <span className={styles['shared']}>{own}</span>
    </>
  );
}

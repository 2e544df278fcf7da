import type { ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { TrunkLimit } from '../api/answers.js';
import menu from '../parts/menu.module.css';
import { texts } from '../texts/capacity.js';
import { texts as parts } from '../texts/parts.js';
import styles from './capacity.module.css';
import { LimitForm } from './limit-form.js';
import { NewLimitForm } from './new-limit-form.js';

interface LimitButtonProps {
  readonly trunk: string;
  /** Undefined without one. */
  readonly limit: TrunkLimit | undefined;
}

/** Sets, changes and removes the limit of a trunk. */
export function LimitButton({ trunk, limit }: LimitButtonProps): ReactNode {
  const label = limit === undefined ? texts.setLimit : texts.changeLimit;
  return (
    <FormInPopover label={label} name={parts.actionOn(label, trunk)} title={texts.limitOf(trunk)}>
      {(close) => <LimitForm trunk={trunk} limit={limit} onDone={close} />}
    </FormInPopover>
  );
}

/** Sets the limit of a trunk that is not in the table, because it has had no calls. */
export function NewLimitButton({ limits }: { readonly limits: readonly TrunkLimit[] }): ReactNode {
  return (
    <FormInPopover label={texts.setOther} name={texts.setOther} title={texts.limitOfOther}>
      {(close) => <NewLimitForm limits={limits} onDone={close} />}
    </FormInPopover>
  );
}

interface FormInPopoverProps {
  readonly label: string;
  /** Of the button, for those who do not see the row. */
  readonly name: string;
  readonly title: string;
  readonly children: (close: () => void) => ReactNode;
}

function FormInPopover({ label, name, title, children }: FormInPopoverProps): ReactNode {
  return (
    <DialogTrigger>
      <Button className="button" aria-label={name}>
        {label}
      </Button>
      <Popover className={`${menu['menu']} ${styles['panel']}`} placement="bottom end">
        <Dialog aria-label={title} className={styles['dialog'] ?? ''}>
          {({ close }) => (
            <>
              <h2 dir="auto">{title}</h2>
              {children(close)}
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

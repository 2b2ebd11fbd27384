import type { Clock } from '../core/clock';
import { describeError } from '../core/errors';
import { sealOlder } from './generations';
import { ioError } from './io-errors';
import type { Replica } from './replica';

/** Puts right what is found under the lock, and says so: unfinished writes, damaged files, old tables, missing seals. */
export class Mending {
  /** The generation whose older ones are known to have their seals. */
  private sealedBelow = 0;

  constructor(
    private readonly replica: Replica,
    private readonly clock: Clock,
    private readonly onReport: (message: string) => void,
  ) {}

  /** Cuts off unfinished writes, sets damaged files aside and brings old tables forward. Needs the lock. */
  repair(): void {
    try {
      const faults = this.replica.mend();
      const kept = this.setAside(faults.flatMap(({ files }) => files));
      for (const { message } of faults) this.onReport(`${message} The last good state was recovered.${kept}`);
    } catch (error) {
      throw ioError(error, this.replica.files.directory);
    }
  }

  /** Puts the seals on what came before the current generation. Needs the lock. */
  sealOlder(): void {
    const { files, current } = this.replica;
    const { generation } = current;
    if (this.sealedBelow !== generation && sealOlder(files, generation)) this.sealedBelow = generation;
  }

  /** Says where the damaged files are now; what was recovered stands whether or not they can be moved. */
  private setAside(damaged: readonly string[]): string {
    try {
      const folder = this.replica.files.setAside(damaged, new Date(this.clock.now()));
      return folder ? ` What was damaged was kept in ${folder}.` : '';
    } catch (error) {
      return ` What was damaged could not be set aside (${describeError(error)}): copy ${damaged.join(', ')} if you want to keep it.`;
    }
  }
}

// A hostile process: swaps two names as fast as it can until it is told to stop, then prints how often it did.
// Arguments: the two paths. Says "ready" when it has begun.
import koffi from 'koffi';

const [first, second] = process.argv.slice(2);
const AT_FDCWD = -100;
const EXCHANGE = 2;
const renameat2 = koffi
  .load(null)
  .func('int renameat2(int od, const char *op, int nd, const char *np, uint32_t flags)');

let swaps = 0;
let stopped = false;
process.on('SIGTERM', () => (stopped = true));

function burst(): void {
  for (let round = 0; round < 200; round++) {
    if (Number(renameat2(AT_FDCWD, first, AT_FDCWD, second, EXCHANGE)) === 0) swaps += 1;
  }
  if (!stopped) {
    setImmediate(burst);
    return;
  }
  process.stdout.write(`${swaps}\n`);
  process.exit(0);
}

process.stdout.write('ready\n');
burst();

// Generated command lines for the judge: plain ones, whose every part is covered by the rules given with them, and wild ones
// that mix covered and uncovered words with everything that shells know. The same seed gives the same lines.

/** Rules under which plain lines are wholly allowed. `xx`, `yy` and `cc` with another first word than `one` are covered by none. */
export const LINE_RULES: readonly string[] = [
  ...[
    'aa *',
    'bb *',
    'cc one *',
    'echo *',
    'printf *',
    'cd *',
    'test *',
    '[ *',
    'true',
    'read *',
    'set *',
    'export *',
    ': *',
  ],
  ...[
    'xargs *',
    'env *',
    'sh -c *',
    'eval *',
    'find *',
    'timeout *',
    'command *',
    'unset *',
    'trap *',
    'exec *',
    'wait *',
  ],
].map((words) => `shell:${words}`);

/** Files that plain lines may write: the rule `write:out*`. */
export const WRITE_RULE = 'write:out*';

/** A small generator of numbers: 0 up to, not including, 1. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export class CommandLines {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = numbers(seed);
  }

  #pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.#next() * items.length)] ?? items[0];
  }

  #many(most: number, make: () => string, between = ' '): string {
    const count = Math.floor(this.#next() * (most + 1));
    return Array.from({ length: count }, make).join(between);
  }

  // ---- Plain ----

  /** A line that the rules cover wholly, and that means the same to every shell. */
  plain(): string {
    return this.#plainList(3);
  }

  #plainWord(depth: number): string {
    const words = [
      'w',
      '-n',
      "'a b'",
      '"a b"',
      '$x',
      '"$x"',
      '"${x:-a}"',
      '*.md',
      '~/w',
      '2',
      "';'",
      '\\;',
      '"a;xx"',
      '#w'.slice(1),
    ];
    if (depth > 0 && this.#next() < 0.15) return `"$( ${this.#plainList(depth - 1)} )"`;
    if (depth > 0 && this.#next() < 0.05) return `\`${this.#plainSimple(0).replaceAll('\\;', 'w')}\``;
    return this.#pick(words as [string, ...string[]]);
  }

  #plainSimple(depth: number): string {
    const words = this.#many(3, () => this.#plainWord(depth));
    const name = this.#pick([
      'aa',
      'bb',
      'cc one',
      'aa',
      'echo',
      "printf '%s'",
      'aa',
      'xargs aa',
      'env aa',
      'timeout 5 aa',
    ]);
    const redirect = this.#pick([
      '',
      '',
      '',
      '',
      ' 2>&1',
      ' >/dev/null',
      ' 2>/dev/null',
      ' > out1',
      ' >> out2',
      ' < /dev/null',
    ]);
    return `${name} ${words}`.trim() + redirect;
  }

  #plainCommand(depth: number): string {
    if (depth <= 0) return this.#plainSimple(0);
    const list = (): string => this.#plainList(depth - 1);
    return this.#pick([
      () => this.#plainSimple(depth),
      () => this.#plainSimple(depth),
      () => this.#plainSimple(depth),
      () => `( ${list()} )`,
      () => `{ ${list()}; }`,
      () => `if ${this.#plainSimple(0)}; then ${list()}; else ${list()}; fi`,
      () => `for f in a b; do ${this.#plainSimple(0)} "$f"; done`,
      () => `while bb; do ${list()}; done`,
      () => `case "$x" in a|b) ${list()};; *) ${list()};; esac`,
      () => `( ! ${this.#plainSimple(0)} )`,
      () => `[ -n "$x" ]`,
      () => `{ x=${this.#pick(['1', '"$(aa w)"', "'a b'"])}; aa $x; }`,
      () => `sh -c '${this.#plainSimple(0).replace(/'[^']*'|\\;/g, 'w')}'`,
      () => `aa <<'END'\n$(xx) \`yy\`\nEND\n`,
      () => `aa <<END\nsome text $x\nEND\n`,
    ] as [() => string, ...(() => string)[]])();
  }

  #plainList(depth: number): string {
    let line = this.#plainCommand(depth);
    for (let count = Math.floor(this.#next() * 3); count > 0; count--) {
      // A heredoc's text begins at the next line, so only a line end may follow it here.
      const operator = line.endsWith('\n') ? '' : this.#pick([' && ', ' || ', ' | ', '; ', '\n', ' | ']);
      line += operator + this.#plainCommand(depth - 1);
    }
    return line.endsWith('\n') ? `${line}:` : line;
  }

  // ---- Wild ----

  /** Any line: covered and uncovered commands in every construct, and damaged. */
  wild(): string {
    const line = this.#next() < 0.3 ? this.plain() : this.#wildList(3);
    return this.#next() < 0.5 ? this.#damaged(line) : line;
  }

  #damaged(line: string): string {
    let out = line;
    for (let count = 1 + Math.floor(this.#next() * 2); count > 0; count--) {
      const at = Math.floor(this.#next() * (out.length + 1));
      const piece = this.#pick([
        ...([
          '"',
          "'",
          '`',
          '\\',
          '$',
          '(',
          ')',
          '{',
          '}',
          ';',
          '&',
          '|',
          '<',
          '>',
          '#',
          '\n',
          ' ',
          '!',
          '=',
          '[',
          ']',
          '*',
        ] as const),
        ...([
          '$(',
          '${',
          '$((',
          '))',
          '&>',
          '<<E\n',
          "$'",
          '; xx',
          '\nxx ',
          ' xx',
          '`xx`',
          '$(xx)',
          '\\\n',
          "\\'",
          '\t',
          '~',
          ',',
          ':',
        ] as const),
      ]);
      const cut = this.#next() < 0.3 ? 1 : 0;
      out = out.slice(0, at) + (this.#next() < 0.8 ? piece : '') + out.slice(at + cut);
    }
    return out;
  }

  #wildWord(depth: number): string {
    const list = (): string => this.#wildList(depth - 1);
    if (depth <= 0 || this.#next() < 0.5) return this.#plainWord(0);
    return this.#pick([
      () => `$(${list()})`,
      () => `"$(${list()})"`,
      () => `\`${this.#wildSimple(0)}\``,
      () => `"\`${this.#wildSimple(0)}\`"`,
      () => `\${x:-$(${list()})}`,
      () => `"\${x:=${this.#wildWord(0)}}"`,
      () => `\${x#${this.#wildWord(0)}}`,
      () => `$((1+$(${this.#wildSimple(0)})))`,
      () => `$((x))`,
      () => `$[ ${this.#wildWord(0)} ]`,
      () => `<(${list()})`,
      () => `$'a\\'b'`,
      () => `{a,$(${this.#wildSimple(0)})}`,
      () => `a[$(${this.#wildSimple(0)})]`,
      () => `'a[$(xx)]'`,
      () => `"a\\"; xx; \\""`,
      () => `@(a|$(xx))`,
    ] as [() => string, ...(() => string)[]])();
  }

  #wildSimple(depth: number): string {
    const name = this.#pick([
      ...([
        'aa',
        'aa',
        'bb',
        'cc one',
        'cc two',
        'xx',
        'yy',
        'echo',
        '$x',
        '"$x"',
        "'xx'",
        'x""x',
        '\\xx',
        './xx',
        'x?',
        '{xx,a}',
      ] as const),
      ...([
        'sh -c',
        'eval',
        'xargs',
        'xargs xx',
        'env',
        'env xx',
        'env A=1 aa',
        'timeout 5',
        'timeout 5 xx',
        'command',
        'command xx',
      ] as const),
      ...([
        'find . -exec xx {} \\;',
        'find . -exec aa {} +',
        'printf -v',
        'test -v',
        '[ -v',
        'read',
        'export',
        'unset',
        'cd . &&',
      ] as const),
      ...([
        'sh',
        'sh -s',
        'exec',
        'exec xx',
        "trap 'xx' EXIT;",
        'alias aa=xx;',
        'PATH=.',
        'x=xx',
        'x+=xx',
        'IFS=x',
        'time',
        '!',
        'set --',
      ] as const),
    ]);
    const words = this.#many(3, () => this.#wildWord(depth));
    const redirect = this.#pick([
      '',
      '',
      '',
      ' > out1',
      ' > f',
      ' >> $x',
      ' > $(xx)',
      ' &> f',
      ' &> out1 xx',
      ' &> out1',
      ' 2>&1',
      ' >& f',
      ' <<< "$(xx)"',
      ' > ../g',
    ]);
    return `${name} ${words}${redirect}`;
  }

  #wildCommand(depth: number): string {
    if (depth <= 0) return this.#wildSimple(0);
    const list = (): string => this.#wildList(depth - 1);
    return this.#pick([
      () => this.#wildSimple(depth),
      () => this.#wildSimple(depth),
      () => this.#wildSimple(depth),
      () => this.#plainCommand(depth),
      () => `( ${list()} )`,
      () => `{ ${list()}; }`,
      () => `f() { ${list()}; }; f`,
      () => `aa() { ${list()}; }; aa`,
      () => `if ${list()}; then ${list()}; fi`,
      () => `for ${this.#pick(['f', 'PATH', 'IFS'])} in ${this.#wildWord(1)}; do ${list()}; done`,
      () => `case ${this.#wildWord(1)} in ${this.#pick(['a', '*', '$(xx)', '(a|b'])}) ${list()};; esac`,
      () => `[[ ${this.#wildWord(1)} ${this.#pick(['=', '-eq', '<', '>'])} ${this.#wildWord(1)} ]]`,
      () => `(( ${this.#wildWord(1)} ))`,
      () => `((${list()}))`,
      () => `aa <<${this.#pick(['E', "'E'", '\\E', '-E', '"E"'])}\n${this.#wildWord(1)} $(${this.#wildSimple(0)})\nE\n`,
      () => `coproc ${list()}`,
      () => `select f in a; do ${list()}; done`,
      () => `!(${list()})`,
    ] as [() => string, ...(() => string)[]])();
  }

  #wildList(depth: number): string {
    let line = this.#wildCommand(depth);
    for (let count = Math.floor(this.#next() * 3); count > 0; count--) {
      const operator = line.endsWith('\n') ? '' : this.#pick([' && ', ' || ', ' | ', '; ', ' & ', '\n', ' |& ', ';']);
      line += operator + this.#wildCommand(depth - 1);
    }
    return line;
  }
}

/** The kinds of tasks. `none` needs no tool. */
export const TASK_KINDS = [
  'list',
  'read',
  'compute',
  'write',
  'edit',
  'search',
  'two-calls',
  'failing-first',
  'read-then-write',
  'none',
] as const;

export type TaskKind = (typeof TASK_KINDS)[number];

export const LANGUAGES = ['en', 'zh'] as const;

export type Language = (typeof LANGUAGES)[number];

/** `tuning`: for choosing words; `held-out`: for claims, and never used to choose anything. */
export const TASK_SETS = ['tuning', 'held-out'] as const;

export type TaskSet = (typeof TASK_SETS)[number];

/** A call as it was run. */
export interface PlayedCall {
  name: string;
  input: unknown;
  /** What the model got. */
  output: string;
  hasFailed: boolean;
  /** The workspace after the call, by path. */
  files: ReadonlyMap<string, string>;
}

/** How a conversation ended. */
export interface Ending {
  answer: string;
  /** The workspace, by path. */
  files: ReadonlyMap<string, string>;
}

/** A task with one question, and what a right answer is. */
export interface Task {
  id: string;
  kind: TaskKind;
  language: Language;
  set: TaskSet;
  /** What the person asks. */
  ask: string;
  /** The workspace at the start, by path. */
  files: Readonly<Record<string, string>>;
  /** Whether the first call leads to the answer; absent if no call is needed. */
  isFirstRight?(call: PlayedCall): boolean;
  isAnswered(ending: Ending): boolean;
}

type Wanted = Pick<Task, 'kind' | 'files' | 'isAnswered' | 'isFirstRight'>;

const READERS = new Set(['read_file', 'execute_bash', 'browser_js_eval', 'search_text']);
const LISTERS = new Set(['list_directory', 'search_files', 'execute_bash', 'browser_js_eval']);
const WRITERS = new Set(['write_file', 'edit_file', 'multi_edit', 'apply_patch', 'execute_bash', 'browser_js_eval']);

/** Text in which numbers have no separators, in lower case. */
const plain = (text: string): string => text.replaceAll(/(?<=\d)[,，\u00a0\u202f ](?=\d{3})/g, '').toLowerCase();

const includesAll = (text: string, wanted: readonly string[]): boolean =>
  wanted.every((word) => plain(text).includes(word.toLowerCase()));

const list = (folder: string, names: readonly string[]): Wanted => ({
  kind: 'list',
  files: Object.fromEntries(names.map((name) => [`${folder}/${name}`, `This is ${name}.\n`])),
  isFirstRight: ({ name, hasFailed, output }) => !hasFailed && LISTERS.has(name) && includesAll(output, names),
  isAnswered: ({ answer }) => includesAll(answer, names),
});

const read = (path: string, text: string, fact: string): Wanted => ({
  kind: 'read',
  files: { [path]: text },
  isFirstRight: ({ name, hasFailed, output }) => !hasFailed && READERS.has(name) && includesAll(output, [fact]),
  isAnswered: ({ answer }) => includesAll(answer, [fact]),
});

const compute = (value: string): Wanted => ({
  kind: 'compute',
  files: {},
  isFirstRight: ({ name, hasFailed, output }) =>
    !hasFailed && (name === 'browser_js_eval' || name === 'execute_bash') && includesAll(output, [value]),
  isAnswered: ({ answer }) => includesAll(answer, [value]),
});

const write = (path: string, text: string): Wanted => {
  const isThere = (files: Ending['files']) => files.get(path)?.trim() === text;
  return {
    kind: 'write',
    files: { '/README.md': '# Notes\n' },
    isFirstRight: ({ name, hasFailed, files }) => !hasFailed && WRITERS.has(name) && isThere(files),
    isAnswered: ({ files }) => isThere(files),
  };
};

const edit = (path: string, text: string, [from, to]: readonly [string, string]): Wanted => {
  const isChanged = (files: Ending['files']) => files.get(path)?.trim() === text.replace(from, to).trim();
  return {
    kind: 'edit',
    files: { [path]: text },
    isFirstRight: ({ name, hasFailed, output, files }) =>
      !hasFailed && (isChanged(files) || (READERS.has(name) && includesAll(output, [from]))),
    isAnswered: ({ files }) => isChanged(files),
  };
};

const search = (word: string, path: string, others: readonly string[]): Wanted => ({
  kind: 'search',
  files: {
    [path]: `Nothing here.\nThe word is ${word}.\n`,
    ...Object.fromEntries(others.map((other) => [other, 'Something else.\n'])),
  },
  isFirstRight: ({ name, hasFailed, output }) =>
    !hasFailed && (name === 'search_text' || name === 'execute_bash') && includesAll(output, [path]),
  isAnswered: ({ answer }) => includesAll(answer, [path.split('/').at(-1) ?? path]),
});

const twoCalls = (files: Readonly<Record<string, string>>, facts: readonly [string, string]): Wanted => ({
  kind: 'two-calls',
  files,
  isFirstRight: ({ name, hasFailed, output }) =>
    !hasFailed && READERS.has(name) && facts.some((fact) => includesAll(output, [fact])),
  isAnswered: ({ answer }) => includesAll(answer, facts),
});

const failingFirst = (wrong: string, path: string, text: string, fact: string): Wanted => ({
  kind: 'failing-first',
  files: { [path]: text },
  isFirstRight: ({ name, input, hasFailed, output }) =>
    (!hasFailed && LISTERS.has(name) && includesAll(output, [path.split('/').at(-1) ?? path])) ||
    (READERS.has(name) && JSON.stringify(input).includes(wrong.slice(1))),
  isAnswered: ({ answer }) => includesAll(answer, [fact]),
});

const readThenWrite = (files: Readonly<Record<string, string>>, fact: string, path: string, text: string): Wanted => ({
  kind: 'read-then-write',
  files,
  isFirstRight: ({ name, hasFailed, output }) => !hasFailed && READERS.has(name) && includesAll(output, [fact]),
  isAnswered: (ending) => ending.files.get(path)?.trim() === text,
});

const none = (fact: RegExp): Wanted => ({
  kind: 'none',
  files: { '/README.md': '# Notes\n' },
  isAnswered: ({ answer }) => fact.test(answer),
});

const POEM = 'Roses are red,\nviolets are blue.\n';
const CONFIG = 'host = "example.org"\nport = 8080\ndebug = false\n';

/** The questions of each set, by language. */
const ASKED: Readonly<Record<TaskSet, Readonly<Record<Language, readonly (readonly [string, Wanted])[]>>>> = {
  tuning: {
    en: [
      ['Which files are in /notes?', list('/notes', ['plan.md', 'todo.txt', 'ideas.md'])],
      ['What does /todo.txt say?', read('/todo.txt', 'Buy milk and 12 eggs.\n', '12 eggs')],
      ['Compute 123456 * 789.', compute('97406784')],
      ['Create the file /hello.txt with the text: Hello, Ada', write('/hello.txt', 'Hello, Ada')],
      ['Change the port in /config.toml from 8080 to 9090.', edit('/config.toml', CONFIG, ['8080', '9090'])],
      ['Which file contains the word “pelican”?', search('pelican', '/b.txt', ['/a.txt', '/c.txt'])],
      [
        'What are the numbers in /one.txt and in /two.txt?',
        twoCalls({ '/one.txt': 'The number is 417.\n', '/two.txt': 'The number is 902.\n' }, ['417', '902']),
      ],
      [
        'What is the code in /secret.txt? If that name is wrong, look for a similar one.',
        failingFirst('/secret.txt', '/secrets.txt', 'The code is K7-Q2.\n', 'K7-Q2'),
      ],
      [
        'Read /name.txt and write a file /greeting.txt that says “Hello” and the name, nothing else.',
        readThenWrite({ '/name.txt': 'Grace\n' }, 'Grace', '/greeting.txt', 'Hello Grace'),
      ],
      ['What is the capital of France?', none(/paris/i)],
      ['Thanks! What does “HTML” stand for?', none(/hyper\s?text/i)],
      ['List the contents of the folder /src.', list('/src', ['main.ts', 'util.ts', 'types.ts'])],
      ['What is in /photos?', list('/photos', ['beach.jpg.txt', 'forest.jpg.txt'])],
      ['Show me what /poem.txt says.', read('/poem.txt', POEM, 'violets are blue')],
      ['Which host is set in /config.toml?', read('/config.toml', CONFIG, 'example.org')],
      ['How much is 4821 * 3977?', compute('19173117')],
      ['What is the sum of all whole numbers from 1 to 4321?', compute('9337681')],
      ['Write “See you at noon” into /message.txt.', write('/message.txt', 'See you at noon')],
      ['Save the text 2 + 2 = 4 as /math.txt.', write('/math.txt', '2 + 2 = 4')],
      ['In /poem.txt, replace “red” with “white”.', edit('/poem.txt', POEM, ['red', 'white'])],
      ['Turn debug on in /config.toml.', edit('/config.toml', CONFIG, ['debug = false', 'debug = true'])],
      [
        'Find the file in which “walnut” is mentioned.',
        search('walnut', '/docs/trees.md', ['/docs/birds.md', '/x.md']),
      ],
      ['Where does the word “lantern” appear?', search('lantern', '/story.txt', ['/diary.txt', '/letter.txt'])],
      [
        'Compare /old.txt and /new.txt: which version does each of them name?',
        twoCalls({ '/old.txt': 'Version 1.8.3\n', '/new.txt': 'Version 2.4.0\n' }, ['1.8.3', '2.4.0']),
      ],
      [
        'Who is named in /left.txt, and who in /right.txt?',
        twoCalls({ '/left.txt': 'Name: Turing\n', '/right.txt': 'Name: Hopper\n' }, ['Turing', 'Hopper']),
      ],
      [
        'Read /invoice.txt and tell me the total. The file may have a slightly different name.',
        failingFirst('/invoice.txt', '/invoices.txt', 'Total: 318.40 EUR\n', '318.40'),
      ],
      [
        'What does /docs/licence.md say? If it is not there, look in the folder.',
        failingFirst('/docs/licence.md', '/docs/license.md', 'Published under Apache-2.0.\n', 'Apache-2.0'),
      ],
      [
        'Look up the city in /city.txt and create /answer.txt with just that city.',
        readThenWrite({ '/city.txt': 'Lisbon\n' }, 'Lisbon', '/answer.txt', 'Lisbon'),
      ],
      [
        'Read the number in /n.txt, double it, and write only the result to /double.txt.',
        readThenWrite({ '/n.txt': '236\n' }, '236', '/double.txt', '472'),
      ],
      ['Who wrote “Romeo and Juliet”?', none(/shakespeare/i)],
      ['Hi! In one sentence: what is photosynthesis?', none(/light|sun/i)],
      ['Translate “good morning” into Spanish.', none(/buenos/i)],
    ],
    zh: [
      ['/笔记 里有哪些文件？', list('/笔记', ['计划.md', '待办.txt', '想法.md'])],
      ['/待办.txt 里写了什么？', read('/待办.txt', '买牛奶和 12 个鸡蛋。\n', '12 个鸡蛋')],
      ['计算 123456 乘以 789。', compute('97406784')],
      ['创建文件 /你好.txt，内容是：你好，小明', write('/你好.txt', '你好，小明')],
      ['把 /config.toml 里的端口从 8080 改成 9090。', edit('/config.toml', CONFIG, ['8080', '9090'])],
      ['哪个文件里有“鹈鹕”这个词？', search('鹈鹕', '/b.txt', ['/a.txt', '/c.txt'])],
      [
        '/一.txt 和 /二.txt 里的数字分别是多少？',
        twoCalls({ '/一.txt': '数字是 417。\n', '/二.txt': '数字是 902。\n' }, ['417', '902']),
      ],
      [
        '/密码.txt 里的密码是什么？如果文件名不对，就找一个相似的文件。',
        failingFirst('/密码.txt', '/密码本.txt', '密码是 K7-Q2。\n', 'K7-Q2'),
      ],
      [
        '读取 /名字.txt，然后写一个文件 /问候.txt，内容是“你好”加上这个名字，不要别的内容。',
        readThenWrite({ '/名字.txt': '小红\n' }, '小红', '/问候.txt', '你好小红'),
      ],
      ['法国的首都是哪里？', none(/巴黎/)],
      ['谢谢！“HTML”是什么的缩写？', none(/hyper\s?text|超文本/i)],
      ['列出文件夹 /源码 的内容。', list('/源码', ['main.ts', 'util.ts', 'types.ts'])],
      ['/照片 里面有什么？', list('/照片', ['海边.txt', '森林.txt'])],
      ['给我看看 /诗.txt 的内容。', read('/诗.txt', '床前明月光，\n疑是地上霜。\n', '疑是地上霜')],
      ['/config.toml 里设置的主机是什么？', read('/config.toml', CONFIG, 'example.org')],
      ['4821 乘以 3977 等于多少？', compute('19173117')],
      ['从 1 到 4321 的所有整数之和是多少？', compute('9337681')],
      ['把“中午见”写入 /留言.txt。', write('/留言.txt', '中午见')],
      ['把文本 2 + 2 = 4 保存为 /数学.txt。', write('/数学.txt', '2 + 2 = 4')],
      ['在 /诗.txt 里，把“地上”改成“天上”。', edit('/诗.txt', '床前明月光，\n疑是地上霜。\n', ['地上', '天上'])],
      ['把 /config.toml 里的 debug 打开。', edit('/config.toml', CONFIG, ['debug = false', 'debug = true'])],
      ['找出提到“核桃”的文件。', search('核桃', '/资料/树.md', ['/资料/鸟.md', '/x.md'])],
      ['“灯笼”这个词出现在哪个文件里？', search('灯笼', '/故事.txt', ['/日记.txt', '/信.txt'])],
      [
        '比较 /旧.txt 和 /新.txt：它们各是什么版本？',
        twoCalls({ '/旧.txt': '版本 1.8.3\n', '/新.txt': '版本 2.4.0\n' }, ['1.8.3', '2.4.0']),
      ],
      [
        '/左.txt 里写的是谁？/右.txt 里写的又是谁？',
        twoCalls({ '/左.txt': '姓名：张衡\n', '/右.txt': '姓名：沈括\n' }, ['张衡', '沈括']),
      ],
      [
        '读取 /账单.txt 并告诉我总额。文件名可能略有不同。',
        failingFirst('/账单.txt', '/账单1.txt', '总额：318.40 元\n', '318.40'),
      ],
      [
        '/文档/许可.md 里写了什么？如果没有这个文件，就看看文件夹里有什么。',
        failingFirst('/文档/许可.md', '/文档/许可证.md', '以 Apache-2.0 发布。\n', 'Apache-2.0'),
      ],
      [
        '查看 /城市.txt 里的城市，并创建 /答案.txt，里面只写这个城市。',
        readThenWrite({ '/城市.txt': '里斯本\n' }, '里斯本', '/答案.txt', '里斯本'),
      ],
      [
        '读取 /n.txt 里的数字，乘以二，只把结果写入 /double.txt。',
        readThenWrite({ '/n.txt': '236\n' }, '236', '/double.txt', '472'),
      ],
      ['《红楼梦》的作者是谁？', none(/曹雪芹/)],
      ['你好！用一句话说明：什么是光合作用？', none(/光/)],
      ['把“早上好”翻译成西班牙语。', none(/buenos/i)],
    ],
  },
  'held-out': {
    en: [
      ['Tell me the names of the files in /music.', list('/music', ['waltz.mid', 'tango.mid', 'polka.mid'])],
      ['Look into the directory /backup. What does it hold?', list('/backup', ['monday.zip.txt', 'friday.zip.txt'])],
      ['Please open /recipe.md and tell me how long it bakes.', read('/recipe.md', 'Bake for 35 minutes.\n', '35')],
      ['Who is the author named in /about.txt?', read('/about.txt', 'Author: Lovelace\n', 'Lovelace')],
      ['Multiply 90817 by 263.', compute('23884871')],
      ['How many days are there in 47 weeks and 3 days?', compute('332')],
      ['Put the text “Closed on Sunday” in a new file /sign.txt.', write('/sign.txt', 'Closed on Sunday')],
      ['I need a file /colors.txt that says: red, green, blue', write('/colors.txt', 'red, green, blue')],
      [
        'The year in /license.txt is wrong. Make it 2026 instead of 2025.',
        edit('/license.txt', 'Copyright 2025 Ada\n', ['2025', '2026']),
      ],
      ['Rename Alice to Carol in /guests.txt.', edit('/guests.txt', 'Alice\nBob\n', ['Alice', 'Carol'])],
      [
        'One of my files talks about a “compass”. Which one?',
        search('compass', '/trip/sea.md', ['/trip/land.md', '/y.md']),
      ],
      [
        'Search my files for “quartz” and tell me the file.',
        search('quartz', '/rocks.txt', ['/birds.txt', '/trees.txt']),
      ],
      [
        'Add up the amounts in /jan.txt and /feb.txt and name both.',
        twoCalls({ '/jan.txt': 'Amount: 128\n', '/feb.txt': 'Amount: 256\n' }, ['128', '256']),
      ],
      [
        'Which city does /from.txt name, and which one /to.txt?',
        twoCalls({ '/from.txt': 'City: Oslo\n', '/to.txt': 'City: Rome\n' }, ['Oslo', 'Rome']),
      ],
      [
        'What is the phone number in /contact.txt? I may have misspelled the name of the file.',
        failingFirst('/contact.txt', '/contacts.txt', 'Phone: 555-0148\n', '555-0148'),
      ],
      [
        'Show the title in /book/chapter.md. If there is no such file, find the right one.',
        failingFirst('/book/chapter.md', '/book/chapters.md', 'Title: The Long Way\n', 'The Long Way'),
      ],
      [
        'Copy the word in /word.txt into a new file /copy.txt.',
        readThenWrite({ '/word.txt': 'lighthouse\n' }, 'lighthouse', '/copy.txt', 'lighthouse'),
      ],
      [
        'Take the number from /age.txt, add 10, and save only the sum in /later.txt.',
        readThenWrite({ '/age.txt': '57\n' }, '57', '/later.txt', '67'),
      ],
      ['Which planet is closest to the sun?', none(/mercury/i)],
      ['Give me a synonym for “happy”.', none(/joy|glad|cheer|content|delight|pleased/i)],
      ['How do you say “thank you” in French?', none(/merci/i)],
    ],
    zh: [
      ['告诉我 /音乐 里的文件名。', list('/音乐', ['华尔兹.mid', '探戈.mid', '波尔卡.mid'])],
      ['看一下目录 /备份，里面有什么？', list('/备份', ['周一.txt', '周五.txt'])],
      ['请打开 /菜谱.md，告诉我要烤多久。', read('/菜谱.md', '烤 35 分钟。\n', '35')],
      ['/关于.txt 里写的作者是谁？', read('/关于.txt', '作者：鲁迅\n', '鲁迅')],
      ['90817 乘以 263 是多少？', compute('23884871')],
      ['47 周零 3 天一共是多少天？', compute('332')],
      ['把“周日休息”写进新文件 /告示.txt。', write('/告示.txt', '周日休息')],
      ['我需要一个文件 /颜色.txt，内容是：红，绿，蓝', write('/颜色.txt', '红，绿，蓝')],
      ['/许可.txt 里的年份错了，把 2025 改为 2026。', edit('/许可.txt', '版权 2025 小明\n', ['2025', '2026'])],
      ['把 /客人.txt 里的小红换成小兰。', edit('/客人.txt', '小红\n小刚\n', ['小红', '小兰'])],
      ['我的哪个文件提到了“指南针”？', search('指南针', '/旅行/海.md', ['/旅行/陆.md', '/y.md'])],
      ['在我的文件里搜索“石英”，告诉我是哪个文件。', search('石英', '/石头.txt', ['/鸟.txt', '/树.txt'])],
      [
        '把 /一月.txt 和 /二月.txt 里的金额都告诉我。',
        twoCalls({ '/一月.txt': '金额：128\n', '/二月.txt': '金额：256\n' }, ['128', '256']),
      ],
      [
        '/起点.txt 里是哪个城市？/终点.txt 里又是哪个？',
        twoCalls({ '/起点.txt': '城市：北京\n', '/终点.txt': '城市：上海\n' }, ['北京', '上海']),
      ],
      [
        '/联系.txt 里的电话是多少？文件名我可能写错了。',
        failingFirst('/联系.txt', '/联系人.txt', '电话：555-0148\n', '555-0148'),
      ],
      [
        '显示 /书/章.md 里的标题。如果没有这个文件，就找出正确的那个。',
        failingFirst('/书/章.md', '/书/章节.md', '标题：漫长的路\n', '漫长的路'),
      ],
      [
        '把 /词.txt 里的词复制到新文件 /副本.txt。',
        readThenWrite({ '/词.txt': '灯塔\n' }, '灯塔', '/副本.txt', '灯塔'),
      ],
      [
        '取出 /年龄.txt 里的数字，加 10，只把和保存到 /以后.txt。',
        readThenWrite({ '/年龄.txt': '57\n' }, '57', '/以后.txt', '67'),
      ],
      ['离太阳最近的行星是哪颗？', none(/水星/)],
      ['给我一个“高兴”的近义词。', none(/快乐|开心|愉快|欢喜|喜悦|欢乐/)],
      ['“谢谢”用法语怎么说？', none(/merci/i)],
    ],
  },
};

/** All tasks. Their ids stay the same as long as their order does. */
export const TASKS: readonly Task[] = TASK_SETS.flatMap((set) =>
  LANGUAGES.flatMap((language) => {
    const numbers = new Map<TaskKind, number>();
    return ASKED[set][language].map(([ask, wanted]): Task => {
      const number = (numbers.get(wanted.kind) ?? 0) + 1;
      numbers.set(wanted.kind, number);
      return { id: `${set}/${language}/${wanted.kind}-${number}`, language, set, ask, ...wanted };
    });
  }),
);

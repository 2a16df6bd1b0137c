"""Makes cases.json: what Jinja2 makes of templates, set up as Hugging Face's transformers sets it up.

usage: python make.py    (needs jinja2; made with 3.1.6)
"""

import json
from pathlib import Path

import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

MESSAGES = [
    {"role": "system", "content": "Be brief.\n"},
    {"role": "user", "content": " Hi, it's me "},
    {"role": "assistant", "content": "<think>hm</think>Hello \"you\"!"},
    {"role": "user", "content": "2<3 & é?"},
]
CONTEXT = {
    "messages": MESSAGES,
    "bos_token": "<s>",
    "eos_token": "</s>",
    "add_generation_prompt": True,
    "number": 7,
    "half": 0.5,
    "big": 12345678901234567890.0,
    "nothing": None,
    "names": ["b", "C", "a", "b"],
    # Keys in the order of the alphabet, because the test reads them in that order.
    "nested": {"w": {"v": False}, "x": [1, 2, {"y": "z"}]},
    "empty": [],
}


class Generation(Extension):
    """Transformers' `generation` marks what is trained on; what is in it is printed."""

    tags = {"generation"}

    def parse(self, parser):
        lineno = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.Scope(body).set_lineno(lineno)


def environment():
    def raise_exception(message):
        raise jinja2.exceptions.TemplateError("raised: " + message)

    def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    env = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols])
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    return env


# Expressions, each printed between brackets.
EXPRESSIONS = r"""
1 + 2 * 3
(1 + 2) * 3
7 // 2
-7 // 2
7 // -2
7 % 3
-7 % 3
7 % -3
7 / 2
6 / 2
2 ** 3 ** 2
2 ** -1
-2 ** 2
1.5 + 1
0.1 + 0.2
1e3
big
half
1.0
100000000000000000000.0
0.00001
-number
+number
-number | abs
'a' ~ 1 ~ none ~ true
'a' + 'b' 'c'
'ab' * 3
[1, 'a', none, true, 1.5]
{'a': 1, 'b': [2]}
(1, 2)[0]
[1, 2] + [3]
names
nested
"it's"
['it\'s', "say \"x\"", 'a\nb\\']
'\u00e9\x41'
1 < 2 < 3
1 < 3 < 2
1 == 1.0
'a' == 'a'
'a' < 'b'
none == none
missing == 1
true == 1
1 in [1, 2]
'x' not in 'abc'
'role' in messages[0]
not 1
not missing
1 and 0
0 or 'x'
'' or none
1 if true else 2
1 if false
'a' if missing is defined else 'b'
missing is defined
missing is undefined
nothing is none
number is number
number is odd
number is divisibleby 7
number is divisibleby(2)
names is iterable
names is sequence
names is mapping
nested is mapping
'a' is string
'a' is not string
1.5 is float
1 is integer
true is boolean
true is true
1 is true
'A' is upper
'a' is lower
'a' is in ['a']
1 is eq 1
1 is gt(0)
number is not none and number > 3
messages[0].role
messages[0]['role']
messages[-1]['content']
messages[10]
messages[0].missing
messages[0]['missing']
messages | length
messages[1:] | length
names[1:3]
names[::-1]
names[::2]
names[-2:]
'hello'[1:3]
'hello'[-1]
'hello'[::-1]
'héllo'[1]
names[:none]
names | join
names | join(', ')
messages | map(attribute='role') | join(',')
messages | map(attribute='x', default='-') | list
names | map('upper') | list
names | map('replace', 'b', 'x') | list
messages | selectattr('role', 'equalto', 'user') | list | length
messages | selectattr('role', '==', 'user') | map(attribute='content') | list
messages | rejectattr('role', 'in', ['user', 'system']) | map(attribute='role') | list
messages | selectattr('missing') | list
messages | selectattr('role', 'defined') | list | length
[1, 0, 2] | select | list
[1, 2, 3] | select('odd') | list
[1, 2, 3] | reject('gt', 1) | list
names | first
names | last
empty | first
names | unique | list
names | sort
names | sort(reverse=true)
[3, 1, 2] | sort
messages | sort(attribute='role') | map(attribute='role') | list
{'b': 1, 'a': 2} | dictsort | tojson
names | reverse | list
'abc' | reverse
[1, 2.5] | sum
[3, 1] | min
[3, 1] | max
'abc' | list
'a b' | title
'hello world' | capitalize
'  x ' | trim
'xxaxx' | trim('x')
'A' | lower
'a-b-c' | replace('-', '+')
'a-b-c' | replace('-', '+', 1)
'a\nb\n\nc' | indent
'a\nb\n\nc' | indent(2)
'a\nb' | indent(2, true)
'a\nb' | indent(width=1, first=true)
missing | default('x')
'' | default('x')
'' | default('x', true)
none | default('x')
missing | d
'12' | int
'1.9' | int
'x' | int
'x' | int(5)
3.7 | int
'1.5' | float
2.675 | round(2)
2.4 | round
7 | string
names | string
names | count
nested | items | list | tojson
nested.items() | list | tojson
nested.keys() | list
nested.w.values() | list
nested.get('x')
nested.get('q')
nested.get('q', 5)
nested.x[2].y
nested | tojson
nested | tojson(indent=2)
['é', '<a>', '"q"', "it's", 'a\n\t\\', 1.5, none, 10000000000000000.0] | tojson
{} | tojson
[] | tojson(indent=2)
' a b  c '.split()
'a,b,c'.split(',')
'a,b,c'.split(',', 1)
'a,b,c'.rsplit(',', 1)
messages[2].content.split('</think>')[-1]
' x '.strip()
'xxaxx'.strip('x')
'xxaxx'.lstrip('x')
'xxaxx'.rstrip('x')
'abc'.startswith('ab')
'abc'.startswith(('x', 'a'))
'abc'.endswith('bc')
'abc'.find('c')
'abc'.find('x')
'abab'.count('ab')
'abab'.replace('ab', 'x')
'abab'.replace('ab', 'x', 1)
'abc'.upper()
'ABC'.lower()
'a b'.title()
'hello World'.capitalize()
'123'.isdigit()
'a\nb'.splitlines()
', '.join(['a', 'b'])
'abc'.removeprefix('a')
'abc'.removesuffix('c')
range(3) | list
range(1, 4) | list
range(5, 0, -2) | list
range(0) | list
dict(a=1, b=2)
namespace(a=1).a
'%' in '100%'
'}}' ~ '%}'
{'a': {'b': 1}}.a.b
{'a': {'b': 1}}['a']['b']
[[1, 2], [3]][0][1]
(names | length) > 3 and 'b' in names
names | length > 3
number | string + 'x'
1 if number > 5 else 2 if number > 3 else 3
('a' if true else 'b') ~ 'c'
not (true and false)
not true or true
1 + -1
[1, 2, 3,]
{'a': 1,}
(1,)[0]
true and names
'a' 'b' ~ 'c'
""".strip().split("\n")

# Whole templates.
TEMPLATES = [
    "plain",
    "line\n",
    "two lines\n\n",
    "{# a comment #}x",
    "a {# comment #} b",
    "a\n{# comment #}\nb",
    "a\n  {#- comment -#}  \nb",
    "{% if true %}\nx\n{% endif %}\ny",
    "  {% if true %}\n  x\n  {% endif %}\n  y",
    "a {% if true %} b {% endif %} c",
    "a {%- if true %} b {%- endif %} c",
    "a {% if true -%} b {% endif -%} c",
    "a\n\n{%- if true -%}\n\nb\n\n{%- endif -%}\n\nc",
    "a\n  {%+ if true %}b{% endif %}\n",
    "{% if true +%}\nx{% endif %}",
    "{{ 'a' }}\n{{ 'b' }}\n",
    "  {{- 'a' -}}  \n b",
    "  {{ 'a' }}  {% if true %}x{% endif %}",
    "\t{% set x = 1 %}\n{{ x }}",
    "x{% set x = 1 %}\n{{ x }}",
    "{% raw %}{{ not this }}{% endraw %}!",
    "a {%- raw -%} {{ x }} {%- endraw -%} b",
    "{% for m in messages %}{{ loop.index }}:{{ m.role }}{{ ',' if not loop.last }}{% endfor %}",
    "{% for m in messages %}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.length }} {% endfor %}",
    "{% for m in messages if m.role == 'user' %}{{ loop.index }}{{ m.content }}{% else %}none{% endfor %}",
    "{% for m in empty %}x{% else %}none{% endfor %}",
    "{% for a, b in nested.items() %}{{ a }}={{ b }};{% endfor %}",
    "{% for (a, b) in [(1, 2), (3, 4)] %}{{ a + b }} {% endfor %}",
    "{% for k in nested %}{{ k }}{% endfor %}",
    "{% for c in 'abc' %}{{ c }}-{% endfor %}",
    "{% for i in range(9) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 5 %}{% break %}{% endif %}{{ i }}{% endfor %}",
    "{% for i in range(3) %}{% for j in range(i) %}{{ loop.depth }}{{ i }}{{ j }} {% endfor %}{{ loop.index }};{% endfor %}",
    "{% for m in messages %}{{ loop.previtem.role if loop.previtem is defined }}>{{ loop.nextitem.role if not loop.last }} {% endfor %}",
    "{% for i in range(4) %}{{ loop.cycle('a', 'b', 'c') }}{% endfor %}",
    "{% set x = 1 %}{% for i in range(3) %}{% set x = x + i %}{{ x }}{% endfor %}{{ x }}",
    "{% set ns = namespace(n=0, found=false) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}{{ ns.found }}",
    "{% set x %}a{{ 1 }}b{% endset %}{{ x | upper }}",
    "{% set x | upper %}a{{ 1 }}b{% endset %}{{ x }}",
    "{% set a, b = 1, 2 %}{{ a }}{{ b }}",
    "{% set t = 1, 2 %}{{ t | length }}",
    "{% if missing %}a{% elif number > 5 %}b{% elif true %}c{% else %}d{% endif %}",
    "{% if false %}a{% else %}b{% endif %}",
    "{% macro f(x, y='d') %}[{{ x }}{{ y }}]{% endmacro %}{{ f(1) }}{{ f(1, 2) }}{{ f(y=3, x=4) }}{{ f() }}",
    "{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(3) }}",
    "{% macro f(m) -%}\n  <{{ m.role }}>\n{%- endmacro %}{% for m in messages %}{{ f(m) }}{% endfor %}",
    "{% set g = 5 %}{% macro f() %}{{ g }}{% endmacro %}{{ f() }}",
    "{% filter upper %}a{{ 'b' }}{% endfilter %}",
    "{% generation %}x{% endgeneration %}y",
    "{{ raise_exception('no') }}",
    "{% if true %}{{ raise_exception('bad ' ~ number) }}{% endif %}",
    "{{ missing }}|{{ nothing }}|{{ missing.x if missing is defined }}",
    "{% for x in missing %}{{ x }}{% endfor %}ok",
    "{%- for message in messages %}\n    {%- if message.role == 'user' %}\n        {{- '<|user|>\\n' + message.content | trim + '\\n' }}\n    {%- else %}\n        {{- message.content }}\n    {%- endif %}\n{%- endfor %}",
    "{%- set loop_messages = messages[1:] if messages[0]['role'] == 'system' else messages %}{{ loop_messages | length }}",
    "{%- if messages[0].role == 'system' %}{%- set system = messages[0].content %}{%- else %}{%- set system = '' %}{%- endif %}[{{ system | trim }}]",
    "{%- set ns = namespace(last=-1) %}{%- for m in messages[::-1] %}{%- set index = (messages | length - 1) - loop.index0 %}{%- if m.role == 'user' and ns.last < 0 %}{%- set ns.last = index %}{%- endif %}{%- endfor %}{{ ns.last }}",
    "{% if (messages[0]['role'] == 'user') != (0 % 2 == 0) %}x{% endif %}y",
    "{{ bos_token }}{% for m in messages %}{{ m['role'] | upper }}: {{ m['content'] }}{{ eos_token if m.role == 'assistant' else '' }}\n{% endfor %}{% if add_generation_prompt %}A:{% endif %}",
]

# What fails in Jinja2 and must fail here.
FAILING = [
    "{{ x", "{% if %}x{% endif %}", "{% if true %}x", "{% endif %}", "{% for x in %}{% endfor %}", "{{ 1 + }}", "{{ (1 }}",
    "{{ [1, 2 }}", "{{ 'a }}", "{{ 1 + 'a' }}", "{{ 1 / 0 }}", "{{ missing.x }}", "{{ missing() }}", "{{ 'a' | nofilter }}",
    "{{ 1 is notest }}", "{% set x.y = 1 %}", "{{ number() }}", "{% unknown %}", "{{ 'a' < 1 }}", "{{ nothing.x.y }}",
    "{% for a, b in [1] %}{% endfor %}", "{{ 'a'.nomethod() }}", "{% macro f(a) %}{% endmacro %}{{ f(1, 2) }}", "{# x", "{% raw %}x",
]


def rendered(template):
    try:
        return {"template": template, "text": environment().from_string(template).render(**CONTEXT)}
    except jinja2.exceptions.TemplateError as error:
        if str(error).startswith("raised: "):
            return {"template": template, "raised": str(error)[8:]}
        return {"template": template, "fails": True}
    except (TypeError, ZeroDivisionError, ValueError):
        return {"template": template, "fails": True}


cases = [rendered("[{{ " + expression + " }}]") for expression in EXPRESSIONS] + [rendered(template) for template in TEMPLATES]
for case in cases:
    if "fails" in case:
        print("fails:", case["template"])
failing = [rendered(template) for template in FAILING]
for case in failing:
    if "fails" not in case:
        print("does not fail:", case)
out = {"jinja2": jinja2.__version__, "context": CONTEXT, "cases": cases + failing}
Path(__file__).with_name("cases.json").write_text(json.dumps(out, indent=1, ensure_ascii=False) + "\n")

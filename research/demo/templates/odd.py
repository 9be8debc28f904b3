"""A page that somebody typed by hand in 2003 and nobody has repaired since."""

from html import escape

from research.demo.content_values import World
from research.demo.templates.text import relative
from research.demo.templates.widgets import BROKEN_PATH

NOTICES = (
    ("East Quay", "Crane out of order. <b>Do not <i>stand</b> under it</i>."),
    ("Inner basin", "Depth at low water 1,8 m<br>& falling</span>"),
    ("Fish dock", "Ice from 5 am <p>Bring your own bucket</div>"),
    ("Outer mole", "Light no. 4 dark since <font color=red>Tuesday"),
    ("Slipway", "Key at the office. <a href=../contact.html>Ask <b>Wilf</a></b>"),
)


def broken_page(world: World) -> str:
    """Write a page with unclosed, badly nested and stray tags, and without a head."""
    rows = "\n".join(
        f"<tr><td class=place bgcolor='#ddeeff'><b>{place}<td>{text}" for place, text in NOTICES
    )
    news = "\n".join(
        f"<li><a href={relative(BROKEN_PATH, article.path)}>{escape(article.title)}"
        for article in world.articles[:6]
    )
    return f"""<!-- made with notepad -->
<body bgcolor="#fffff0" text=navy><center><h1>Harbour Notices</h2>
<p><b>READ <i>BEFORE</b> YOU SAIL</i></center>
</div></td>
<table border=1 cellpadding=6 width=80%>
{rows}
</table></table>
<h3>In the paper<h3>
<ul>
{news}
</ul></ol>
<p id=foot>Last change: <em>a while ago<p id=foot><a href="../index.html">Back to the <b>paper</a>
<div><div><span>Harbour office, open 8 to 5
<form action="../contact.html"><input name=q value="ask us><p>
"""

"""Factories that build objects from settings: graphs, generators, models, and components of the free-text steps."""

from factprobe.factories.components import COMPONENT_ROLES as COMPONENT_ROLES
from factprobe.factories.components import NO_DEPENDENCIES as NO_DEPENDENCIES
from factprobe.factories.components import Dependencies as Dependencies
from factprobe.factories.components import asked_models as asked_models
from factprobe.factories.components import build_component as build_component
from factprobe.factories.components import describe_component as describe_component
from factprobe.factories.components import named_settings as named_settings
from factprobe.factories.probing import JUDGE as JUDGE
from factprobe.factories.probing import PHRASER as PHRASER
from factprobe.factories.probing import Role as Role
from factprobe.factories.probing import build_generator as build_generator
from factprobe.factories.probing import build_judges as build_judges
from factprobe.factories.probing import build_kg as build_kg
from factprobe.factories.probing import build_model as build_model
from factprobe.factories.probing import check_calls as check_calls
from factprobe.factories.probing import check_generator as check_generator
from factprobe.factories.probing import check_judge_rules as check_judge_rules
from factprobe.factories.probing import in_words_of as in_words_of
from factprobe.factories.probing import settings_of as settings_of
from factprobe.factories.probing import warn_if_tiny as warn_if_tiny
